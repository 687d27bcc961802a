package delve

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/recording"
)

// What is built beside the run in the debugger is what all runs take that note its calls, however many, and
// nothing else does; it is gone when nobody needs it any more.
func TestRecordedRunsTakeWhatIsBuiltAhead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module ahead\n\ngo 1.25\n",
		"main.go": "package main\n\nfunc twice(n int) int { return 2 * n }\n\nfunc main() { panic(twice(21)) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	of := testAdapter().(*adapter)
	a := of.Services()
	calls := func(thin *recording.Thin) recording.Spec {
		return recording.Spec{Text: 200, Calls: &recording.Calls{Names: []string{"*"}, Thin: thin}}
	}
	noted := calls(&recording.Thin{First: 200, Leave: 50_000})
	r := adapters.Request{Workspace: dir, Target: ".", Mode: adapters.Launch, Record: &noted}
	record := func(w recording.Spec) *adapters.Recorded {
		t.Helper()
		recorded, err := a.Record(t.Context(), r, w, nil)
		if err != nil {
			t.Fatal(err)
		}
		return recorded
	}
	stopped, cancel := context.WithCancel(t.Context())
	done := a.Ahead(stopped, r)
	cancel() // what has asked is over long before the program is needed
	built := of.ahead.builds[r.Record].done
	select {
	case <-built:
		t.Fatal("it is built before the program itself")
	case <-time.After(100 * time.Millisecond):
	}
	plan, err := of.Plan(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan.Close()
	select {
	case <-built:
	case <-time.After(patience):
		t.Fatal("it is not built when the program itself is")
	}
	first := record(calls(&recording.Thin{First: 200}))
	second := record(calls(&recording.Thin{First: 200, After: map[string]int64{"0": 7}, Last: 32}))
	if first.Spec.Path != second.Spec.Path || first.Records == second.Records {
		t.Errorf("two runs are of %s and %s, with their records in %s and %s", first.Spec.Path, second.Spec.Path, first.Records, second.Records)
	}
	for _, other := range []recording.Spec{calls(nil), {Text: 200, Calls: &recording.Calls{Names: []string{"main.twice"}, Thin: &recording.Thin{}}}} {
		o := record(other)
		o.Close()
		if o.Spec.Path == first.Spec.Path {
			t.Errorf("%+v is noted by the program of another spec", other.Calls)
		}
	}
	another := noted
	r.Record = &another
	if o := record(noted); o.Spec.Path == first.Spec.Path {
		t.Error("a run takes what another question has built, perhaps of other sources")
	} else {
		o.Close()
	}
	r.Record = &noted
	first.Close()
	done()
	if _, err := os.Stat(second.Spec.Path); err != nil {
		t.Errorf("the program of a run is gone before that: %v", err)
	}
	if late := record(calls(&recording.Thin{First: 200})); late.Spec.Path == first.Spec.Path {
		t.Error("a run takes what nobody keeps any more")
	} else {
		late.Close()
	}
	second.Close()
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(second.Spec.Path); os.IsNotExist(err) {
			return
		}
		if time.Since(begun) > patience {
			t.Fatal("the program stays when nobody needs it any more")
		}
	}
}
