package left

import (
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/gosrc"
)

// goroutine is one of a traceback.
type goroutine struct {
	state   string
	frames  []adapters.LeftPlace // the innermost first
	made    []adapters.LeftPlace // the frames of who has made it, then of who has made that, …
	creator string               // the function that has its go statement
	// rooted: who has made it is told up to the program's first goroutine.
	rooted bool
}

// things are those goroutines of a traceback that tests have made, or main, and that nobody
// but them keeps.
func things(stacks string, tests bool, at lines) []adapters.LeftThing {
	var list []adapters.LeftThing
	for text := range strings.SplitSeq(stacks, "\n\n") {
		g := parse(text, at)
		if len(g.frames) == 0 || g.isKept() {
			continue
		}
		test, ours := g.origin(tests)
		if !ours {
			continue
		}
		t := adapters.LeftThing{Kind: "goroutine", Test: test, WaitsFor: g.waits(), At: shown(g.at()), Count: 1}
		if g.accepts() {
			t.Kind, t.WaitsFor = "server", "connections"
		}
		if i := slices.IndexFunc(g.made, isUsers); i >= 0 {
			t.Made = shown(g.made[i])
		}
		list = append(list, t)
	}
	return list
}

// parse reads the traceback of one.
func parse(text string, at lines) goroutine {
	var g goroutine
	into, function, isReturn := &g.frames, "", false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case i == 0:
			_, state, _ := strings.Cut(line, "[")
			state, _, _ = strings.Cut(state, "]")
			g.state, _, _ = strings.Cut(state, ", ") // how long, and on which thread
		case strings.HasPrefix(line, "[originating from goroutine 1]"):
			g.rooted, isReturn = true, true
		case strings.HasPrefix(line, "[originating"):
			isReturn = true
		case strings.HasPrefix(line, "created by "):
			function = strings.TrimPrefix(line, "created by ")
			function, _, _ = strings.Cut(function, " in goroutine ")
			if g.creator == "" {
				g.creator = function
			}
			into, isReturn = &g.made, false
		case strings.HasPrefix(line, "\t"):
			if function != "" {
				p, offset := place(function, line)
				if isReturn {
					p.Line, _ = at(function, offset) // 0 where it is not known
				}
				*into = append(*into, p)
			}
			function = ""
		default:
			function = line
			if end := strings.LastIndexByte(line, '('); end > 0 {
				function = line[:end]
			}
		}
	}
	return g
}

// place reads a line "	/src/a.go:12 +0x1a".
func place(function, line string) (p adapters.LeftPlace, offset uint64) {
	file, from, _ := strings.Cut(strings.TrimSpace(line), " +0x")
	offset, _ = strconv.ParseUint(from, 16, 64)
	p = adapters.LeftPlace{Function: function, File: file}
	if at := strings.LastIndexByte(file, ':'); at > 0 {
		p.File = file[:at]
		p.Line, _ = strconv.Atoi(file[at+1:])
	}
	return p, offset
}

// shown is a place with its function as stacks are shown: without the folders of its package.
func shown(p adapters.LeftPlace) adapters.LeftPlace {
	p.Function = p.Function[strings.LastIndexByte(p.Function, '/')+1:]
	return p
}

// isUsers says that a place is in the user's code.
func isUsers(p adapters.LeftPlace) bool {
	return !gosrc.Library(p.Function, p.File) && !strings.HasPrefix(p.File, "_testmain.go")
}

// runners are what calls the function of a test, a benchmark or an example.
var runners = []string{"testing.tRunner", "testing.fRunner", "testing.(*B).runN", "testing.(*B).run1.func1", "testing.runExample"}

// origin says which test has made a goroutine, if that is known, and whether one has; of a
// program without tests, whether main has.
func (g goroutine) origin(tests bool) (test string, ours bool) {
	if len(g.made) == 0 || g.creator == "time.goFunc" { // by a timer, of which nobody knows who has set it
		return "", slices.ContainsFunc(g.frames, isUsers)
	}
	if !tests {
		return "", !g.rooted || slices.ContainsFunc(g.made, func(p adapters.LeftPlace) bool { return p.Function == "main.main" })
	}
	for i, p := range g.made {
		if i > 0 && slices.Contains(runners, p.Function) && !strings.HasPrefix(g.made[i-1].Function, "testing.") {
			test, ours = testName(g.made[i-1].Function), true // the outermost is the test, the others are its parts
		}
	}
	return test, ours || !g.rooted || slices.ContainsFunc(g.made[1:], func(p adapters.LeftPlace) bool { return p.Function == "testing.(*T).Run" })
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
	for _, f := range g.frames {
		switch f.Function {
		case "os/signal.loop", "net/http.(*persistConn).writeLoop":
			return true // the other half of a connection tells of it
		case "net/http.(*persistConn).readLoop":
			return g.state == "IO wait" // it is idle; of one whose answer nobody has closed it waits for that
		}
	}
	return strings.HasPrefix(g.creator, "testing.") || strings.HasPrefix(g.frames[0].Function, "runtime/pprof.") || strings.HasPrefix(g.creator, "runtime/trace.")
}

// accepts says that it waits for connections.
func (g goroutine) accepts() bool {
	return g.state == "IO wait" && slices.ContainsFunc(g.frames, func(f adapters.LeftPlace) bool { return f.Function == "net.(*netFD).accept" })
}

// waits is what it waits for, in the runtime's words; empty where it runs.
func (g goroutine) waits() string {
	switch g.state {
	case "running", "runnable":
		return ""
	}
	return g.state
}

// at is the innermost line of the user's code, else where the function stands that it runs.
func (g goroutine) at() adapters.LeftPlace {
	if i := slices.IndexFunc(g.frames, isUsers); i >= 0 {
		return g.frames[i]
	}
	return g.frames[len(g.frames)-1]
}
