package ruby

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/adapters/ruby/rubysrc"
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
		return claimTest(r)
	}
	file, _, _ := strings.Cut(r.Target, "::")
	path := prepare.Locate(r, file)
	switch exists := prepare.Exists(path); {
	case filepath.Ext(path) == ".rb" && exists:
		return adapters.Certain
	case filepath.Ext(path) == ".rb":
		return 90
	case (isRakefile(path) || isRackup(path)) && exists, exists && prepare.IsRunBy(path, "ruby"):
		return 95
	case prepare.IsDir(path) && exists:
		return claimIf(isProject(path) || hasTests(path), 55)
	}
	return 0
}

// isRakefile says that a file has Rake's tasks.
func isRakefile(path string) bool {
	return slices.Contains([]string{"Rakefile", "rakefile"}, filepath.Base(path)) || filepath.Ext(path) == ".rake"
}

// isRackup says that a file says which application a server of Rack runs.
func isRackup(path string) bool { return filepath.Ext(path) == ".ru" }

// claimTest is certain of a test that is named by its file, and hopeful in a project.
func claimTest(r adapters.Request) int {
	if strings.Contains(r.Test, ".rb") {
		return adapters.Certain
	}
	return claimIf((r.Test != "" || r.Module != "") && (isProject(r.Workspace) || hasTests(r.Workspace)), 45)
}

func claimIf(condition bool, claim int) int {
	if condition {
		return claim
	}
	return 0
}

// isProject says that a directory has a file which only Ruby's projects have.
func isProject(dir string) bool {
	return slices.ContainsFunc(prepare.Names(dir), func(name string) bool {
		return name == "Gemfile" || name == "Rakefile" || name == ".rspec" || filepath.Ext(name) == ".gemspec"
	})
}

// hasTests says that there are tests of Ruby in a directory or in those that usually have them.
func hasTests(dir string) bool {
	for _, in := range []string{dir, filepath.Join(dir, "test"), filepath.Join(dir, "spec")} {
		if slices.ContainsFunc(prepare.Names(in), rubysrc.IsTestFile) {
			return true
		}
	}
	return false
}

// claimPort is certain of a Ruby that listens on this machine.
func claimPort(r adapters.Request) int {
	switch {
	case r.Debuggee.Runs("ruby"):
		return adapters.Certain
	case r.Debuggee.Protocol != "" && r.Debuggee.Protocol != adapters.DAP:
		return 0
	case len(scripts(r.Workspace)) > 0 || isProject(r.Workspace):
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
