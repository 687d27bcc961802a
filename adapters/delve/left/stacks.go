package left

import (
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/traceback"
)

// goroutine is one of a traceback.
type goroutine traceback.Goroutine

// things are those goroutines of a traceback that tests have made, or main, and that nobody
// but them keeps.
func things(stacks string, tests bool, at traceback.Lines) []adapters.LeftThing {
	var list []adapters.LeftThing
	for text := range strings.SplitSeq(stacks, "\n\n") {
		g := goroutine(traceback.Parse(text, at))
		if len(g.Frames) == 0 || g.isKept() {
			continue
		}
		test, ours := g.origin(tests)
		if !ours {
			continue
		}
		t := adapters.LeftThing{Kind: "goroutine", Test: test, WaitsFor: traceback.Goroutine(g).Waits(), At: shown(g.at()), Count: 1}
		if g.accepts() {
			t.Kind, t.WaitsFor = "server", "connections"
		}
		if i := slices.IndexFunc(g.Made, traceback.Place.IsUsers); i >= 0 {
			t.Made = shown(g.Made[i])
		}
		list = append(list, t)
	}
	return list
}

// shown is a place with its function as stacks are shown.
func shown(p traceback.Place) adapters.LeftPlace {
	p.Function = traceback.Short(p.Function)
	return adapters.LeftPlace(p)
}

// runners are what calls the function of a test, a benchmark or an example.
var runners = []string{"testing.tRunner", "testing.fRunner", "testing.(*B).runN", "testing.(*B).run1.func1", "testing.runExample"}

// origin says which test has made a goroutine, if that is known, and whether one has; of a
// program without tests, whether main has.
func (g goroutine) origin(tests bool) (test string, ours bool) {
	if len(g.Made) == 0 || g.Creator == "time.goFunc" { // by a timer, of which nobody knows who has set it
		return "", slices.ContainsFunc(g.Frames, traceback.Place.IsUsers)
	}
	if !tests {
		return "", !g.Rooted || slices.ContainsFunc(g.Made, func(p traceback.Place) bool { return p.Function == "main.main" })
	}
	for i, p := range g.Made {
		if i > 0 && slices.Contains(runners, p.Function) && !strings.HasPrefix(g.Made[i-1].Function, "testing.") {
			test, ours = testName(g.Made[i-1].Function), true // the outermost is the test, the others are its parts
		}
	}
	return test, ours || !g.Rooted || slices.ContainsFunc(g.Made[1:], func(p traceback.Place) bool { return p.Function == "testing.(*T).Run" })
}

// testName is a function of a test without its package and without the literals in it.
func testName(function string) string {
	name := function[strings.LastIndexByte(function, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	if first, _, inner := strings.Cut(name, ".func"); inner {
		name = first
	}
	return name
}

// isKept: the library keeps it for later, whoever has asked for it first.
func (g goroutine) isKept() bool {
	for _, f := range g.Frames {
		switch f.Function {
		case "os/signal.loop", "net/http.(*persistConn).writeLoop":
			return true // the other half of a connection tells of it
		case "net/http.(*persistConn).readLoop":
			return g.State == "IO wait" // it is idle; of one whose answer nobody has closed it waits for that
		}
	}
	return strings.HasPrefix(g.Creator, "testing.") || strings.HasPrefix(g.Frames[0].Function, "runtime/pprof.") || strings.HasPrefix(g.Creator, "runtime/trace.")
}

// accepts says that it waits for connections.
func (g goroutine) accepts() bool {
	return g.State == "IO wait" && slices.ContainsFunc(g.Frames, func(f traceback.Place) bool { return f.Function == "net.(*netFD).accept" })
}

// at is the innermost line of the user's code, else where the function stands that it runs.
func (g goroutine) at() traceback.Place {
	if i := slices.IndexFunc(g.Frames, traceback.Place.IsUsers); i >= 0 {
		return g.Frames[i]
	}
	return g.Frames[len(g.Frames)-1]
}
