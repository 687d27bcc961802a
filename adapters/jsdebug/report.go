package jsdebug

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
)

// tested is a line of the file in which the hook records tests.
type tested struct {
	Name  string `json:"name"`
	State string `json:"state"` // counted begins the records of a process; known and pending are no runs
}

// ReadEnd reads what the hook has recorded, while its file is there.
func (d *dialect) ReadEnd(context.Context, adapters.Caller, int) {
	if d.report == "" {
		return
	}
	text, _ := boundedfile.ReadText(d.report) // without tests there is none
	if run, known := d.testsIn(string(text)); known {
		d.tests.Store(&run)
		return
	}
	d.unheard.Store(true)
}

// EndWarning says that no runner has told of its tests: one that the hook could
// not join, because its inner parts have other names than those that are known,
// and one that ended before it had begun look alike from here.
func (d *dialect) EndWarning() string {
	if !d.unheard.Load() {
		return ""
	}
	return "no test runner has told the debugger of its tests: it ended before it ran any, or this version of it is not known here. " +
		"In that case no test that fails stops by itself; set a breakpoint in it, or exceptions: all"
}

// testsIn counts the tests that ran. One that has several records has run if one
// of them is of a run.
func (d *dialect) testsIn(records string) (run adapters.TestRun, known bool) {
	names := slices.Clone(d.names)
	for line := range strings.Lines(records) {
		var t tested
		if json.Unmarshal([]byte(line), &t) != nil {
			continue
		}
		switch t.State {
		case "counted":
			known = true
			continue
		case "known", "pending", "skipped", "todo", "disabled":
		default:
			run.Ran++
		}
		names = append(names, endOfName(t.Name, d.test))
	}
	if run.Ran == 0 && d.test != "" {
		slices.Sort(names)
		names = slices.DeleteFunc(names, func(name string) bool { return name == d.test }) // it is there, and its runner has not chosen it: one within another test
		run.Near = source.Closest(d.test, slices.Compact(names), 3)
	}
	return run, known
}

// endOfName is the end of a test's full name, which begins with the names of its
// groups, that is as many words long as the name that was asked for.
func endOfName(full, asked string) string {
	words := strings.Fields(full)
	return strings.Join(words[max(0, len(words)-len(strings.Fields(asked))):], " ")
}
