package delve

import (
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/internal/testkit"
)

// failed runs the tests of a program of one file to the stop at the first that fails.
func failed(t *testing.T, files map[string]string) (*debuggee, adapters.Stop) {
	t.Helper()
	p := testkit.NewProgram(t, "")
	for name, text := range files {
		p.Write(name, text)
	}
	d := launch(t, plan(t, adapters.Request{Target: ".", Mode: adapters.Test, Workspace: p.Dir}))
	filters, err := d.plan.Dialect.Filters([]string{"uncaught"}, []godap.ExceptionBreakpointsFilter{{Filter: wire.TestFailure}})
	if err != nil {
		t.Fatal(err)
	}
	d.call("setExceptionBreakpoints", godap.SetExceptionBreakpointsArguments{Filters: filters}, nil)
	d.run()
	stop := d.stop()
	if stop.Reason != "exception" {
		t.Fatalf("stopped for %+v", stop)
	}
	return d, stop
}

func (d *debuggee) sides(thread int) adapters.Sides {
	d.t.Helper()
	sides, err := d.plan.Capabilities.Exceptions.Sides(d.t.Context(), d.Conn, thread)
	if err != nil {
		d.t.Fatal(err)
	}
	return sides
}

func TestSidesOfAnExample(t *testing.T) {
	t.Parallel()
	d, stop := failed(t, map[string]string{
		"go.mod": "module example.com/shown\n\ngo 1.25\n",
		"a_test.go": `package shown

import "fmt"

func ExampleRight() {
	fmt.Println(1)
	// Output: 1
}

func ExampleMixed() {
	fmt.Println("b\na")
	// Unordered output:
	// a
	// b
}

func ExampleWrong() {
	fmt.Println("two")
	// Output: one
}
`,
	})
	if s := d.sides(stop.ThreadID); s.Expected != "one" || s.Actual != "two" || s.From == "" {
		t.Errorf("the sides are %+v", s)
	}
	if said := d.exception(stop.ThreadID).Description; said != "ExampleWrong: got:\ntwo\nwant:\none" {
		t.Errorf("it says %q", said)
	}
}

// testified are the files of a test by testify itself.
func testified(statement string) map[string]string {
	return map[string]string{
		"go.mod": "module example.com/sided\n\ngo 1.25\n\nrequire github.com/stretchr/testify v1.12.1\n\nrequire go.yaml.in/yaml/v3 v3.0.5 // indirect\n",
		"go.sum": `github.com/stretchr/testify v1.12.1 h1:EuwCh5fleGS7H32xRwO3wRGT7DxrDhLAT6FF8MpWDWE=
github.com/stretchr/testify v1.12.1/go.mod h1:MDEgiDPPsNp5cuIrHPPCyornHKgEVbtFUmoNlxoYthg=
go.yaml.in/yaml/v3 v3.0.5 h1:N6y/pJk8buWs9NY5ERU2HSMfm+IuD/OtfdAnq6kESPw=
go.yaml.in/yaml/v3 v3.0.5/go.mod h1:HVTZu1O7/Vkt2N+BFy8Zza+lnLsABggaTM2ZpNIGuKg=
`,
		"a_test.go": `package sided

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var _, _ = assert.Equal, require.Equal

func sum(a, b int) int { return a + b + 1 }

func name() string { return "ada" }

func TestSides(t *testing.T) { ` + statement + ` }
`,
	}
}

// What testify compares is told as it was given, though the function has put it into words
// of its own by the time at which it fails.
func TestSidesOfTestify(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]adapters.Sides{
		`assert.Equal(t, 5, sum(2, 3))`:                                {Expected: "5", Actual: "6", From: "the arguments of assert.Equal"},
		`assert.Equal(t, "bob", name())`:                               {Expected: `"bob"`, Actual: `"ada"`, From: "the arguments of assert.Equal"},
		`require.EqualValues(t, []string{"bob"}, []string{"\"ada\""})`: {Expected: `[]string{"bob"}`, Actual: `[]string{"\"ada\""}`, From: "the arguments of assert.EqualValues"},
		`assert.New(t).Equal(int64(5), sum(2, 3))`:                     {Expected: "int64(5)", Actual: "int(6)", From: "the arguments of assert.Equal"},
		`assert.InDelta(t, 1.5, 2.5, 0.25)`:                            {Expected: "1.5", Actual: "2.5", From: "the arguments of assert.InDelta"},
	} {
		t.Run(statement, func(t *testing.T) {
			t.Parallel()
			d, stop := failed(t, testified(statement))
			if s := d.sides(stop.ThreadID); s != want {
				t.Errorf("the sides are %+v, want %+v", s, want)
			}
		})
	}
}

// A plain message has no sides, whatever it looks like.
func TestNoSidesInAMessage(t *testing.T) {
	t.Parallel()
	d, stop := failed(t, map[string]string{
		"go.mod":    "module example.com/plain\n\ngo 1.25\n",
		"a_test.go": "package plain\n\nimport \"testing\"\n\nfunc TestPlain(t *testing.T) { t.Errorf(\"expected 5, got %d\", 6) }\n",
	})
	if s := d.sides(stop.ThreadID); s.AreKnown() {
		t.Errorf("the sides are %+v", s)
	}
}

// When the collector has run a variable that the code is through with may be anything;
// what the failing statement reads is what it was.
func TestVariablesOutOfUse(t *testing.T) {
	t.Parallel()
	d, stop := failed(t, map[string]string{
		"go.mod": "module example.com/used\n\ngo 1.25\n",
		"a_test.go": `package used

import (
	"runtime"
	"strings"
	"testing"
)

func TestUsed(t *testing.T) {
	old := strings.Repeat("a", 64)
	n := len(old)
	read := strings.Repeat("b", 64)
	for range 3 {
		runtime.GC()
	}
	t.Fatalf("%d %s", n, read)
}
`,
	})
	values := map[string]string{}
	var scopes godap.ScopesResponseBody
	d.call("scopes", godap.ScopesArguments{FrameId: d.userFrame(stop.ThreadID).Id}, &scopes)
	for _, s := range scopes.Scopes {
		var vars godap.VariablesResponseBody
		d.call("variables", godap.VariablesArguments{VariablesReference: s.VariablesReference}, &vars)
		for _, v := range vars.Variables {
			values[v.Name] = v.Value
		}
	}
	if !strings.HasPrefix(values["old"], "(no longer in use") || !strings.Contains(values["read"], "bbb") || values["n"] != "64" {
		t.Errorf("the variables are %v", values)
	}
	frame := d.userFrame(stop.ThreadID).Id
	if got := d.evaluate(frame, "old[3]"); !strings.HasPrefix(got, "(no longer in use") {
		t.Errorf("a part of it is %s", got)
	}
	if got := d.evaluate(frame, "read[3:5]"); !strings.Contains(got, "bb") {
		t.Errorf("a part of what is read is %s", got)
	}
}
