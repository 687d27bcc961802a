package debugpy

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Check looks at the installed adapter and at the interpreter that would be
// used here.
func (a *adapter) Check(ctx context.Context) adapters.Readiness {
	version, installed := a.Store.Installed(component)
	ready := adapters.Readiness{Version: version, Path: a.Store.Dir(component)}
	if err := a.Store.Check(language, component); err != nil {
		ready.Problem, ready.Remedy = plain(err)
		ready.Absent = !installed
		return ready
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = os.TempDir()
	}
	j, err := understand(adapters.Request{Mode: adapters.Launch, Workspace: dir}, slog.New(slog.DiscardHandler))
	if err == nil {
		var path string
		if path, err = j.interpreter(dir); err == nil {
			var py *python
			if py, err = j.ask(ctx, path, dir, question{}); err == nil {
				ready.Ready = true
				ready.Version += ", Python " + shownVersion(py.Version)
				ready.Path = py.Executable
				return ready
			}
		}
	}
	ready.Problem, ready.Remedy = plain(err)
	return ready
}

func plain(err error) (message, hint string) {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Message, f.Hint
	}
	return err.Error(), ""
}
