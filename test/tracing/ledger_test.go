//go:build linux

package tracing

import "testing"

// asked is what is asked in each language, under each debugger.
var asked = []struct {
	name string
	ask  func(t *testing.T, l *ledger)
	// once says that it depends neither on the debugger, so that the first one of a language
	// is asked, nor on the language: in the short run one of those that share a recorder, or
	// a compiler of one to another, is.
	once bool
}{
	{name: "values", ask: valuesOfALine},
	{name: "values of the caller", ask: valuesOfTheCaller},
	{name: "calls", ask: callsOfAFunction},
	{name: "lines", ask: linesOfACall},
	{name: "writes", ask: writesToAPlace},
	{name: "why", ask: originsOfValues},
	{name: "against", ask: secondRun, once: true},
	{name: "effects", ask: effectsOfExpressions},
	{name: "what cannot be traced", ask: whatCannotBeTraced},
	{name: "endless", ask: runWithoutEnd, once: true},
	// A question without a start is about that of the last session: these begin one.
	{name: "first", ask: firstMoment, once: true},
	{name: "cancelled", ask: cancelledRun, once: true},
	{name: "why at a stop", ask: originAtAStop},
}

// All that is asked of one language's ledger takes one server and one copy of it, which is
// built once.
func TestLedger(t *testing.T) {
	for _, l := range tongues {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			l.again(t)
			whole := open(t, l)
			for _, q := range asked {
				if q.once && l.Second {
					continue
				}
				t.Run(q.name, func(t *testing.T) {
					if q.once {
						l.shares(t)
					}
					q.ask(t, &ledger{whole.Server.For(t), whole.Program, whole.tongue})
				})
			}
		})
	}
}
