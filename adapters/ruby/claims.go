package ruby

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// Claims is certain of Ruby files.
func (*adapter) Claims(r adapters.Request) int {
	switch {
	case r.CoreFile != "" || r.Mode == adapters.Exec || r.Mode == adapters.Core || r.PID != 0:
		return 0
	case r.Host != "" || r.Port != 0:
		return claimPort(r)
	case r.Target == "":
		return 0
	}
	path := prepare.Locate(r, r.Target)
	switch exists := prepare.Exists(path); {
	case filepath.Ext(path) == ".rb" && exists:
		return adapters.Certain
	case filepath.Ext(path) == ".rb":
		return 90
	}
	return 0
}

// claimPort is certain of a Ruby that listens on this machine.
func claimPort(r adapters.Request) int {
	switch {
	case r.Debuggee.Runs("ruby"):
		return adapters.Certain
	case r.Debuggee.Protocol != "" && r.Debuggee.Protocol != adapters.DAP:
		return 0
	case len(scripts(r.Workspace)) > 0 || prepare.Exists(filepath.Join(r.Workspace, "Gemfile")):
		return 30
	}
	return 0
}

// Check looks at the Ruby in PATH and its debugger.
func (a *adapter) Check(ctx context.Context) adapters.Readiness {
	dir, err := os.Getwd()
	if err != nil {
		dir = os.TempDir()
	}
	j, err := understand(adapters.Request{Mode: adapters.Launch, Workspace: dir}, slog.New(slog.DiscardHandler))
	var ruby *interpreter
	if err == nil {
		ruby, err = j.askInterpreter(ctx, filepath.VolumeName(dir)+string(filepath.Separator), "")
	}
	if err != nil {
		ready := adapters.Readiness{Problem: err.Error(), Absent: fault.Is(err, fault.AdapterNotFound)}
		if f, ok := errors.AsType[*fault.Error](err); ok {
			ready.Problem, ready.Remedy = f.Message, f.Hint
		}
		return ready
	}
	return adapters.Readiness{Ready: true, Version: ruby.Gem + ", Ruby " + ruby.Version, Path: ruby.Path}
}
