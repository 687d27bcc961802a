package native

import (
	"context"
	"encoding/json"
	"fmt"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
)

// codeLLDBKit starts CodeLLDB.
type codeLLDBKit struct{}

func (codeLLDBKit) command(s *start) (args, env []string) {
	settings, _ := json.Marshal(map[string]any{
		// Our own scripts show Rust's values: without a compiler there it loads none.
		"scriptConfig":      map[string]string{"lang.rust.sysroot": s.scripts},
		"evaluationTimeout": 9, // seconds, just below our own limit of a request
		"summaryTimeout":    5000,
		"evaluateForHovers": true,
		// A frame names its file even where that is not to be found.
		"suppressMissingSourceFiles": false,
	})
	return []string{"--liblldb", s.debugger.library, "--settings", string(settings)}, s.debuggerEnv()
}

// codeLLDBArguments are those of launch and of attach.
type codeLLDBArguments struct {
	Name            string            `json:"name"`
	Type            string            `json:"type"`
	Request         string            `json:"request"`
	Program         string            `json:"program,omitempty"`
	Args            []string          `json:"args,omitempty"`
	Cwd             string            `json:"cwd,omitempty"`
	Env             map[string]string `json:"env,omitempty"`
	PID             int               `json:"pid,omitempty"`
	StopOnEntry     bool              `json:"stopOnEntry,omitempty"`
	Expressions     string            `json:"expressions"`
	Terminal        string            `json:"terminal,omitempty"`
	SourceLanguages []string          `json:"sourceLanguages,omitempty"`
	InitCommands    []string          `json:"initCommands,omitempty"`
	PreRun          []string          `json:"preRunCommands,omitempty"`
	TargetCreate    []string          `json:"targetCreateCommands,omitempty"`
	ProcessCreate   *[]string         `json:"processCreateCommands,omitempty"` // empty: there is one already
}

func (codeLLDBKit) request(s *start) (string, any) {
	a := codeLLDBArguments{
		Name: "aidb", Type: "lldb", Request: "attach", Expressions: "native", Terminal: "console",
		SourceLanguages: []string{"cpp"}, InitCommands: lldbCommands(s), StopOnEntry: s.StopOnEntry,
	}
	if s.lang == build.Rust {
		a.SourceLanguages = []string{"rust"}
		a.PreRun = []string{stepAvoid(s)} // its own way of Rust has set another
	}
	switch {
	case s.pid != 0:
		a.PID, a.Program = s.pid, s.path
	case s.program.core != "":
		a.TargetCreate = []string{fmt.Sprintf("target create %s --core %s", lldbQuote(s.path), lldbQuote(s.program.core))}
		a.ProcessCreate = &[]string{}
		a.StopOnEntry = true
	case s.remote != "":
		a.StopOnEntry = true // the engine lets it go on
		a.TargetCreate = []string{"target create " + lldbQuote(s.path)}
		if s.path == "" {
			a.TargetCreate = []string{`target create ""`}
		}
		join := joinServer(s.remote)
		a.ProcessCreate = &join
	default:
		a.Request, a.StopOnEntry = "launch", false
		a.Program, a.Args, a.Cwd, a.Env = s.path, s.args, s.dir, s.environment()
	}
	return a.Request, a
}

func (codeLLDBKit) dialect(s *start) dialect {
	if s.lang == build.Rust {
		return &rustCodeDialect{newRustDialect(newLLDBDialect("lldb", "_command", s), s, true)}
	}
	return &codeLLDBDialect{newLLDBDialect("lldb", "_command", s)}
}

// codeLLDBDialect is what CodeLLDB says differently from other LLDBs.
type codeLLDBDialect struct{ *lldbDialect }

// rustCodeDialect is what CodeLLDB says of Rust.
type rustCodeDialect struct{ *rustDialect }

// Page reads a part of a long list, all of which CodeLLDB would send, or of a long map, which no expression with a
// range can.
func (d *lldbDialect) Page(ctx context.Context, c adapters.Caller, frame int, path string, start, count int) ([]godap.Variable, error) {
	var list []struct{ Name, Type, Value string }
	if err := d.askIn(ctx, c, frame, &list, "page", path, start, count); err != nil {
		return nil, err
	}
	vars := make([]godap.Variable, len(list))
	for i, e := range list {
		vars[i] = godap.Variable{Name: e.Name, Type: e.Type, Value: e.Value, EvaluateName: path + e.Name}
	}
	return vars, nil
}
