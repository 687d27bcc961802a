package bench

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
)

func TestMedianAndSpread(t *testing.T) {
	for _, tt := range []struct {
		in                  samples
		median, least, most float64
	}{
		{samples{3, 1, 2}, 2, 1, 3},
		{samples{4, 1, 2, 3}, 2.5, 1, 4},
		{samples{7}, 7, 7, 7},
		{nil, 0, 0, 0},
	} {
		least, most := tt.in.spread()
		if got := tt.in.median(); got != tt.median || least != tt.least || most != tt.most {
			t.Errorf("%v: %v (%v–%v), want %v (%v–%v)", tt.in, got, least, most, tt.median, tt.least, tt.most)
		}
	}
}

func TestTheWarmingRunIsForgotten(t *testing.T) {
	var s samples
	s.since(time.Now().Add(-time.Hour))
	s.add(2)
	s.dropFirst()
	if len(s) != 1 || s[0] != 2 {
		t.Errorf("%v", s)
	}
}

func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		row  row
		want string
	}{
		{row{ours: samples{29}, target: 30}, "yes"},
		{row{ours: samples{31}, target: 30}, "no"},
		{row{ours: samples{110}, bare: samples{100}, ratio: 1.15}, "yes"},
		{row{ours: samples{116}, bare: samples{100}, ratio: 1.15}, "no"},
		{row{ours: samples{650}, target: 600, about: true}, "yes"},
		{row{ours: samples{670}, target: 600, about: true}, "no"},
		{row{target: 30}, "not measured here"},
		{row{ours: samples{1}}, ""},
		{row{ours: samples{20_000}, least: 20_000}, "yes"},
		{row{ours: samples{19_999}, least: 20_000}, "no"},
	} {
		if got := tt.row.verdict(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.row, got, tt.want)
		}
	}
}

func TestTable(t *testing.T) {
	var table table
	table.add(row{what: "a step", unit: inMS, ours: samples{2, 1, 3}, bare: samples{2}, ratio: 1.3})
	table.add(row{what: "a list", unit: inBytes, ours: samples{12345}, target: 14000})
	var out strings.Builder
	if err := table.print(&out, 7); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2.0 ms", "(1.0–3.0)", "1.00", "≤ 1.30 × bare", "12345 bytes", "≤ 14000 bytes", "yes"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

func TestTooFewRunsAreRefused(t *testing.T) {
	if err := Run(t.Context(), Options{Runs: 3}); err == nil || !strings.Contains(err.Error(), "at least 7") {
		t.Errorf("got %v", err)
	}
}

// Each row is told when it is there. What is not installed is a row that says so, what
// fails is one too, and both let the rest be measured.
func TestRowsAreToldAtOnce(t *testing.T) {
	var out strings.Builder
	b := &bench{Options: Options{Out: &out}}
	b.one("first", func() error {
		b.add(row{what: "first: a step", unit: inMS, ours: samples{2, 1, 3}, bare: samples{4}})
		return nil
	})
	told := out.String()
	if !strings.Contains(told, "first: a step: 2.0 ms (1.0–3.0)  (bare 4.0, ratio 0.50)") {
		t.Errorf("not told at once: %q", told)
	}
	for name, err := range map[string]error{
		"no compiler": &exec.Error{Name: "rustc", Err: exec.ErrNotFound}, "no adapter": fmt.Errorf("%w: debugpy", errMissing),
		"told by the server": errors.New("AIDB_ADAPTER_NOT_FOUND: CodeLLDB is not installed\nhint: install it"),
	} {
		b.one(name, func() error { return err })
		if said := out.String(); !strings.Contains(said, name+": left out, ") || len(b.failures) > 0 {
			t.Errorf("%s: %v in %q", name, b.failures, said)
		}
	}
	b.one("last", func() error { return errors.New("broken\nbadly") })
	if said := out.String(); len(b.failures) != 1 || !strings.Contains(said, "last: failed, broken badly") {
		t.Errorf("%v in %q", b.failures, said)
	}
	var table strings.Builder
	if err := b.table.print(&table, MinRuns); err != nil || !strings.Contains(table.String(), "no adapter: left out, the debug adapter is missing: debugpy") {
		t.Errorf("%v: %s", err, table.String())
	}
}

func TestNamesOfAProgramAtWork(t *testing.T) {
	p := pace{debuggee.Pace{Text: "table = 1\nif total < 0:\n    total = 0  # never\nprint(table[total])\n"}}
	if name, never, fails := p.names(); name != "total" || never != 3 || fails != 4 {
		t.Errorf("%q is written at line %d and fails at line %d", name, never, fails)
	}
	if told := numberIn(`{"rows":[],"judged":12,"hits":3}`, "judged"); told != "12" {
		t.Errorf("12 was judged, not %s", told)
	}
}
