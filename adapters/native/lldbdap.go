package native

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/internal/fault"
)

// lldbKit starts LLVM's own adapter.
type lldbKit struct{}

func (lldbKit) command(s *start) (args, env []string) { return nil, s.debuggerEnv() }

// lldbArguments are those of launch and of attach.
type lldbArguments struct {
	Program        string   `json:"program,omitempty"`
	Args           []string `json:"args,omitempty"`
	Cwd            string   `json:"cwd,omitempty"`
	Env            []string `json:"env,omitempty"`
	PID            int      `json:"pid,omitempty"`
	CoreFile       string   `json:"coreFile,omitempty"`
	StopOnEntry    bool     `json:"stopOnEntry,omitempty"`
	InitCommands   []string `json:"initCommands,omitempty"`
	AttachCommands []string `json:"attachCommands,omitempty"`
	// Summaries of plain structs, and their members' values in place of an address.
	AutoSummaries bool `json:"enableAutoVariableSummaries"`
}

func (lldbKit) request(s *start) (string, any) {
	a := lldbArguments{Program: s.path, InitCommands: lldbCommands(s), StopOnEntry: s.StopOnEntry, AutoSummaries: true}
	switch {
	case s.pid != 0:
		a.PID = s.pid
	case s.program.core != "":
		a.CoreFile, a.StopOnEntry = s.program.core, true
	case s.remote != "":
		a.StopOnEntry = true // the engine lets it go on
		a.AttachCommands = joinServer(s.remote)
		if s.path != "" {
			a.AttachCommands = append([]string{"target create " + lldbQuote(s.path)}, a.AttachCommands...)
		}
	default:
		a.Args, a.Cwd, a.Env, a.StopOnEntry = s.args, s.dir, s.env, false
		return "launch", a
	}
	return "attach", a
}

// joinServer waits, ten seconds at most, until the program that a server holds
// is seen to stand still: both adapters look for it as soon as the commands have
// been said, and find none when LLDB is not that far.
func joinServer(address string) []string {
	return []string{
		"gdb-remote " + address,
		"script import time; any(lldb.debugger.GetSelectedTarget().GetProcess().GetState() == lldb.eStateStopped or time.sleep(0.01) for _ in range(1000))",
	}
}

func (lldbKit) dialect(s *start) dialect {
	if s.lang == build.Rust {
		return &rustDAPDialect{newRustDialect(newLLDBDialect("lldb-dap", "repl", s), s, false)}
	}
	return &lldbDAPDialect{newLLDBDialect("lldb-dap", "repl", s)}
}

// lldbDAPDialect is what lldb-dap says differently from CodeLLDB.
type lldbDAPDialect struct{ *lldbDialect }

// MemoryDataID is how lldb-dap itself names memory: it takes only variables of a
// scope, or an address, for what is to be watched.
func (d *lldbDialect) MemoryDataID(ctx context.Context, c adapters.Caller, thread, frame int, expression string) (id string, err error) {
	if err = d.ask(ctx, c, &id, "watch", thread, frame, expression); err != nil {
		return "", err
	}
	return id, d.endWithCall(ctx, c, thread, frame, expression)
}

// Set reaches the variables that are none of the frame's own too, and works out
// values that are expressions.
func (d *lldbDialect) Set(ctx context.Context, c adapters.Caller, at adapters.FrameRef, name, value string) (done bool, err error) {
	if err = d.ask(ctx, c, &done, "assign", at.Thread, at.Rank, name, value); err != nil {
		err = fault.New(fault.VariableSet, "%w", err).WithHint("give a value of its type, or an expression that has one")
	}
	return done, err
}

// rustDAPDialect is the same for Rust.
type rustDAPDialect struct{ *rustDialect }

// Returned: lldb-dap itself shows what was returned only now and then.
func (d *lldbDAPDialect) Returned(ctx context.Context, c adapters.Caller, thread int) ([]godap.Variable, error) {
	var r *returned
	if err := d.ask(ctx, c, &r, "returned", thread); err != nil {
		return nil, err
	}
	return r.variables(d.lldbDialect), nil
}
