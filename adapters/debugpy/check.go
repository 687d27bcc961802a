package debugpy

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/debugpy/project/virtualenv"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
)

// Check looks at the installed adapter and at the interpreter that would be
// used here.
func (a *adapter) Check(ctx context.Context) adapters.Readiness {
	version, _ := a.Store.Installed(component)
	ready := adapters.Readiness{Version: version, Path: a.Store.Dir(component)}
	if err := a.Store.Check(language, debugpy()); err != nil {
		ready.Problem, ready.Remedy = plainError(err)
		ready.Absent = fault.Is(err, fault.AdapterNotFound)
		return ready
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = os.TempDir()
	}
	j, err := understand(adapters.Request{Mode: adapters.Launch, Workspace: dir}, slog.New(slog.DiscardHandler))
	if err != nil {
		ready.Problem, ready.Remedy = plainError(err)
		return ready
	}
	version, path, err := a.findInterpreter(ctx, j, dir)
	if err != nil {
		ready.Problem, ready.Remedy = plainError(err)
		return ready
	}
	ready.Ready, ready.Path = true, path
	ready.Version += ", Python " + version
	return ready
}

// findInterpreter finds the interpreter and its version. One of the workspace, or of an
// environment which may have the workspace among its packages, is not run, for it runs
// code of the workspace before it answers anything: the environment says by itself
// which version it has. Any other runs away from the workspace,
// whose modules it would import.
func (a *adapter) findInterpreter(ctx context.Context, j *job, dir string) (version, path string, err error) {
	if path, err = j.interpreter(dir); err != nil {
		return "", "", err
	}
	if _, ok := virtualenv.Of(path); ok || prepare.OfProject(path) {
		version, err := writtenVersion(path)
		return version, path, err
	}
	py, err := j.ask(ctx, path, filepath.VolumeName(dir)+string(filepath.Separator), question{})
	if err != nil {
		return "", "", err
	}
	return formatVersion(py.Version), py.Executable, nil
}

// writtenVersion is what an environment's pyvenv.cfg says.
func writtenVersion(interpreter string) (string, error) {
	dir := filepath.Dir(filepath.Dir(interpreter))
	text, err := boundedfile.ReadText(filepath.Join(dir, "pyvenv.cfg"))
	if err != nil {
		if found, _ := filepath.Glob(filepath.Join(dir, "conda-meta", "python-[0-9]*.json")); len(found) > 0 {
			version, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(found[0]), "python-"), "-")
			return version, nil
		}
		return "of an unknown version: it lies in the workspace and is run only to debug", nil
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); name != "version" && name != "version_info" {
			continue
		}
		var major, minor int
		if _, err := fmt.Sscanf(strings.TrimSpace(value), "%d.%d", &major, &minor); err != nil {
			continue
		}
		if slices.Compare([]int{major, minor}, oldest) < 0 {
			return "", fault.New(fault.SessionStart, "the virtual environment has Python %s, which is too old for the debugger: it needs 3.8 or newer",
				strings.TrimSpace(value)).WithHint("make it anew with a newer one, or choose an interpreter with runtime_path")
		}
		return strings.TrimSpace(value), nil
	}
	return "of an unknown version", nil
}

func plainError(err error) (message, hint string) {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Message, f.Hint
	}
	return err.Error(), ""
}
