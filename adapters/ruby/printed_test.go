package ruby

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/adapters"
)

func TestPrinted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stderr string
		want   adapters.Printed
	}{
		{
			"careful\n/w/a.rb:3:in `total': undefined method `sum' for nil:NilClass (NoMethodError)\n\n    @prices.sum\n           ^^^^\n\tfrom /w/a.rb:7:in `<main>'\n",
			adapters.Printed{
				Message: "NoMethodError: undefined method `sum' for nil:NilClass", Before: "careful\n",
				Frames: []adapters.Thrown{{File: "/w/a.rb", Line: 3, Function: "total"}, {File: "/w/a.rb", Line: 7, Function: "<main>"}},
			},
		},
		{ // Ruby 3.4
			"/w/a.rb:3:in 'Cart#total': undefined method 'sum' for nil (NoMethodError)\n\tfrom /w/a.rb:7:in '<main>'\n",
			adapters.Printed{
				Message: "NoMethodError: undefined method 'sum' for nil",
				Frames:  []adapters.Thrown{{File: "/w/a.rb", Line: 3, Function: "Cart#total"}, {File: "/w/a.rb", Line: 7, Function: "<main>"}},
			},
		},
		{"/w/a.rb: failed to allocate memory (NoMemoryError)\n", adapters.Printed{Message: "NoMemoryError: failed to allocate memory"}},
		{"/w/a.rb:3:in `total': wrong (RuntimeError)\nand on it goes\nfor two lines\n\tfrom /w/a.rb:7:in `<main>'\nmore of the program's\n", adapters.Printed{}},
		{"all is well\n", adapters.Printed{}},
	} {
		if diff := cmp.Diff(c.want, printedFailure(c.stderr)); diff != "" {
			t.Errorf("%q:\n%s", c.stderr, diff)
		}
	}
}

func TestLost(t *testing.T) {
	t.Parallel()
	const stderr = "#<Thread:0x0000@worker a.rb:2 run> terminated with exception (report_on_exception is true):\na.rb:2:in `block in <main>': lost (KeyError)\nnext\n"
	want := []adapters.Lost{{Of: "a thread", Message: "KeyError: lost", Frames: []adapters.Thrown{{File: "a.rb", Line: 2, Function: "block in <main>"}}}}
	if diff := cmp.Diff(want, lostExceptions(stderr)); diff != "" {
		t.Error(diff)
	}
}
