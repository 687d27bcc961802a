package debugpy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
)

// Claims is certain of Python files, sure of a Python process and of test ids
// that only Python has, and hopeful about directories that look like a project.
func (*adapter) Claims(r adapters.Request) int {
	switch {
	case r.CoreFile != "" || r.Mode == adapters.Exec || r.Mode == adapters.Core:
		return 0
	case r.PID != 0:
		return claimIf(pythonProcess(r.PID) == isPython, 100)
	case r.Host != "" || r.Port != 0:
		return claimPort(r)
	case r.Target == "" && r.Module == "" && strings.Contains(r.Test, ".py::"):
		return 100
	case r.Target == "" && r.Module == "":
		return claimIf(isProject(r.Workspace), 45)
	case r.Target == "":
		return claimModule(r)
	}
	return claimTarget(r)
}

// claimPort is certain of a Python that listens on this machine, and of what
// greets like debugpy.
func claimPort(r adapters.Request) int {
	switch {
	case r.Debuggee.Runs("python", "pypy") || r.Debuggee.Protocol == adapters.Debugpy:
		return adapters.Certain
	case r.Debuggee.Protocol != "":
		return 0
	}
	return claimIf(isProject(r.Workspace), 30)
}

// claimModule is sure of a module that lies in the workspace.
func claimModule(r adapters.Request) int {
	path := filepath.Join(r.Workspace, strings.ReplaceAll(moduleName(r.Module), ".", string(filepath.Separator)))
	switch {
	case prepare.Exists(path + ".py"), prepare.Exists(filepath.Join(path, "__main__.py")), prepare.Exists(filepath.Join(path, "__init__.py")):
		return 95
	case slices.Contains(testModules, r.Module):
		return 95
	}
	return claimIf(isProject(r.Workspace), 35)
}

func claimTarget(r adapters.Request) int {
	file, _, isID := strings.Cut(r.Target, "::")
	path := prepare.Locate(r, file)
	switch filepath.Ext(path) {
	case ".py", ".pyw":
		return claimIf(prepare.Exists(path), 100) + claimIf(!prepare.Exists(path), 90)
	}
	switch {
	case isID && prepare.IsDir(path):
		return 50
	case prepare.IsDir(path) && prepare.Exists(filepath.Join(path, "__main__.py")):
		return 85
	case prepare.IsDir(path):
		return claimIf(isProject(path) || hasPython(path), 55)
	case prepare.Exists(path):
		return claimIf(prepare.IsRunBy(path, "python"), 95)
	}
	return claimIf(isProject(r.Workspace), 20)
}

func isProject(dir string) bool {
	return dir != "" && (slices.ContainsFunc(projectFiles, func(name string) bool {
		return prepare.Exists(filepath.Join(dir, name))
	}) || hasPython(dir) || slices.ContainsFunc(prepare.Names(dir), func(name string) bool { // src, a package, tests
		return !isForeignDir(filepath.Join(dir, name), name) && hasPython(filepath.Join(dir, name))
	}))
}

func hasPython(dir string) bool {
	return slices.ContainsFunc(prepare.Names(dir), func(name string) bool { return filepath.Ext(name) == ".py" })
}

// processKind is what is known of a running process.
type processKind int

const (
	unknownNature processKind = iota // no /proc here, or not readable
	isPython
	notPython
	noProcess
)

// pythonProcess looks a process up where the system lets it be looked up.
func pythonProcess(pid int) processKind {
	if !prepare.Exists("/proc/self") {
		return unknownNature
	}
	if !prepare.Exists(fmt.Sprintf("/proc/%d", pid)) {
		return noProcess
	}
	program, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return unknownNature
	}
	if strings.Contains(strings.ToLower(filepath.Base(program)), "python") {
		return isPython
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err == nil && strings.Contains(string(maps), "libpython") { // embedded, or pypy's like
		return isPython
	}
	return notPython
}

func claimIf(condition bool, claim int) int {
	if condition {
		return claim
	}
	return 0
}
