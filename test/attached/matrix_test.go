//go:build linux

package attached

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"aidb-mcp/internal/testkit"
)

// state is what the session is doing to its program when it ends.
type state string

const (
	early     state = "early" // still attaching, with a log point on the hot line
	running   state = "running"
	stopped   state = "stopped"   // at a breakpoint
	watching  state = "watch"     // stopped at a watchpoint; where there are none, at an exception that is caught
	condition state = "condition" // which is false a thousand times a second
	logpoint  state = "logpoint"  // as often
)

var states = []state{early, running, stopped, watching, condition, logpoint}

// ending is how the session comes to its end.
type ending string

const (
	byStop       ending = "stop"       // session(stop)
	byInput      ending = "input"      // its end
	byClient     ending = "client"     // its death: both streams break
	byTerm       ending = "term"       // SIGTERM for the server
	byKill       ending = "kill"       // SIGKILL for the server
	byWorker     ending = "worker"     // SIGKILL for the one behind a gateway
	byGateway    ending = "gateway"    // SIGKILL for the gateway
	byIdle       ending = "idle"       // the gateway's limit on silence
	byMemory     ending = "memory"     // its limit on memory
	bySupervisor ending = "supervisor" // SIGKILL for all of the session
	byDebugger   ending = "debugger"   // SIGKILL for the debug adapter and for who traces
)

var endings = []ending{byStop, byInput, byClient, byTerm, byKill, byWorker, byGateway, byIdle, byMemory, bySupervisor, byDebugger}

// isGateways says that it needs a gateway.
func (e ending) isGateways() bool {
	return slices.Contains([]ending{byWorker, byGateway, byIdle, byMemory}, e)
}

// cell is one thing to try.
type cell struct {
	*language
	state  state
	ending ending
}

func (c cell) String() string { return fmt.Sprintf("%s/%s/%s", c.name, c.state, c.ending) }

// isPromised says that the program must be unharmed. A debugger that is killed, and
// holds its program by ptrace, leaves its breakpoints in the text, and the system ends
// a thread that meets one then: where the line is hot there is no time to mend it.
func (c cell) isPromised() bool {
	return !c.traces || c.ending != byDebugger || c.state == running
}

// short has every language, state and ending.
func short() []cell {
	return []cell{
		{golang, logpoint, byStop},
		{golang, condition, byKill},
		{golang, stopped, byIdle},
		{c, watching, byStop},
		{c, early, byTerm},
		{cpp, condition, byInput},
		{cpp, running, byDebugger},
		{rust, logpoint, bySupervisor},
		{rust, running, byMemory},
		{python, running, byWorker}, // gdb, which attaches early, may still be at work when the worker is dead
		{python, logpoint, byClient},
		{javascript, watching, byDebugger},
		{javascript, condition, byGateway},
		{java, watching, byKill},
	}
}

// all are all cells.
func all() []cell {
	var list []cell
	for _, l := range languages {
		for _, s := range states {
			for _, e := range endings {
				if !l.reaches(s) {
					continue
				}
				list = append(list, cell{l, s, e})
			}
		}
	}
	return list
}

// several are n cells, so that each language meets each ending equally often, in
// one state after the other.
func several(n int, seed uint64) []cell {
	random := rand.New(rand.NewPCG(seed, 0))
	first := random.IntN(len(states))
	var list []cell
	for round := 0; len(list) < n; round++ {
		for i, l := range languages {
			for j, e := range endings {
				s := states[(first+round+i+j)%len(states)]
				if !l.reaches(s) {
					s = logpoint
				}
				list = append(list, cell{l, s, e})
			}
		}
	}
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:n]
}

// chosen are the cells of this run.
func chosen() []cell {
	switch {
	case strings.Contains(flag.Lookup("test.run").Value.String(), "TestEndings/"):
		return all()
	case *amount > 0:
		return several(*amount, *seed)
	case testkit.IsLong():
		return several(220, *seed)
	}
	return short()
}
