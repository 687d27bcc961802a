package native

import (
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
)

// gdbDialect is what gdb says differently.
type gdbDialect struct{ common }

func newGDBDialect(s *start) *gdbDialect {
	d := &gdbDialect{newCommon("gdb", s)}
	d.Meanings = map[string][]string{"all": {"throw"}}
	return d
}

// Stopped: gdb names a stop for a signal, but not the signal.
func (d *gdbDialect) Stopped(e godap.StoppedEventBody) adapters.Stop {
	stop := d.Base.Stopped(e)
	switch e.Reason {
	case "signal", "exception":
		stop.Reason, stop.Ask = "signal", true
	case "breakpoint":
		stop.Ask = d.stopsAtThrows()
	}
	return d.stopped(stop)
}

// Variables puts the type where there is no value, and numbers elements with brackets.
func (d *gdbDialect) Variables(parent string, vars []godap.Variable) []godap.Variable {
	kept := make([]godap.Variable, 0, len(vars))
	for _, v := range vars {
		if v.Value == "" && v.VariablesReference != 0 {
			v.Value = "{...}"
		}
		if isNumber(v.Name) {
			v.Name = "[" + v.Name + "]"
		}
		v.Type = plainType(v.Type)
		kept = append(kept, v)
	}
	if d.lang == build.Rust {
		return rustVariables(parent, kept)
	}
	return kept
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
