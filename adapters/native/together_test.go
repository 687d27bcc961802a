package native

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

func TestTogether(t *testing.T) {
	at := func(thread int, reason, description string, hit ...int) godap.StoppedEventBody {
		return godap.StoppedEventBody{ThreadId: thread, Reason: reason, Description: description, HitBreakpointIds: hit}
	}
	taken := func(e godap.StoppedEventBody, others ...godap.StoppedEventBody) adapters.Gathered {
		return adapters.Gathered{Event: &e, Others: others}
	}
	one, two := at(1, "breakpoint", "", 5), at(2, "breakpoint", "", 6)
	trap, throw := at(1, "exception", "signal SIGTRAP"), at(1, "exception", "C++ exception")
	for name, test := range map[string]struct {
		event   godap.StoppedEventBody
		threads []godap.StoppedEventBody
		want    adapters.Gathered
	}{
		"the one that was told of":         {one, []godap.StoppedEventBody{one, two}, adapters.Gathered{Others: []godap.StoppedEventBody{two}}},
		"that of an earlier stop":          {at(3, "breakpoint", "", 5), []godap.StoppedEventBody{one, two}, taken(one, two)},
		"at another breakpoint by now":     {at(1, "breakpoint", "", 4), []godap.StoppedEventBody{one}, taken(one)},
		"a trap of the program's own":      {trap, []godap.StoppedEventBody{trap}, adapters.Gathered{}},
		"the trap of a breakpoint":         {trap, []godap.StoppedEventBody{one, two}, taken(one, two)},
		"an exception at its breakpoint":   {throw, []godap.StoppedEventBody{one}, adapters.Gathered{}},
		"a pause, of which nothing is new": {at(3, "pause", ""), []godap.StoppedEventBody{one}, adapters.Gathered{Others: []godap.StoppedEventBody{one}}},
	} {
		got := together(test.event, test.threads)
		if len(got.Others) == 0 {
			got.Others = nil
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
