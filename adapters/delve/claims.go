package delve

import (
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/pprof"
	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/adapters/prepare"
)

// Claims is certain of Go files and binaries, sure of directories with Go in
// them, and hopeful about names that may be import paths.
func (*adapter) Claims(r adapters.Request) int {
	switch {
	case r.CoreFile != "" || r.Mode == adapters.Exec:
		return claimIf(isGoBinary(prepare.Locate(r, r.Target)), 100)
	case r.PID != 0:
		// Where programs cannot be looked up by their id, anybody may be right.
		return max(claimIf(isGoBinary(fmt.Sprintf("/proc/%d/exe", r.PID)), 100), claimIf(r.Debuggee.Program == "", 1))
	case pprof.Wanted(r.Options):
		return adapters.Certain
	case r.Host != "" || r.Port != 0:
		return claimPort(r)
	case r.Target == "" && r.Module == "":
		return claimDirectory(r.Workspace, 50)
	case r.Target == "":
		return claimIf(moduleRoot(r.Workspace) != "", 40)
	}
	return claimTarget(r)
}

// claimPort is certain of a Delve that listens on this machine.
func claimPort(r adapters.Request) int {
	switch {
	case r.Debuggee.PID != 0 && isDelve(fmt.Sprintf("/proc/%d/exe", r.Debuggee.PID)):
		return adapters.Certain
	case r.Target != "" && isGoBinary(prepare.Locate(r, r.Target)):
		return 90
	case r.Debuggee.Protocol == adapters.DAP:
		return 40 + claimIf(isGoDirectory(r.Workspace), 30)
	case r.Debuggee.Protocol != "":
		return 0
	}
	return claimIf(isGoDirectory(r.Workspace), 30)
}

// isDelve says that a program is Delve, or has it linked in.
func isDelve(program string) bool {
	const module = "github.com/go-delve/delve"
	info, err := serve.BuildInfo(program)
	return err == nil && (info.Main.Path == module || slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Path == module }))
}

func claimTarget(r adapters.Request) int {
	path := prepare.Locate(r, r.Target)
	switch {
	case filepath.Ext(path) == ".go":
		return claimIf(prepare.Exists(path), 100) + claimIf(!prepare.Exists(path), 90)
	case prepare.IsDir(path) && hasGoFiles(path):
		return 90
	case prepare.IsDir(path):
		return claimDirectory(path, 60)
	case prepare.Exists(path):
		return claimIf(isGoBinary(path), 95)
	}
	if strings.HasSuffix(r.Target, "...") {
		return claimIf(isGoDirectory(r.Workspace), 60)
	}
	looksLikeImport := !filepath.IsAbs(r.Target) && !strings.HasPrefix(r.Target, ".") && filepath.Ext(r.Target) != ".py"
	return claimIf(looksLikeImport && moduleRoot(r.Workspace) != "", 30)
}

// claimDirectory is less sure of a directory that is only somewhere below a
// module: a project of another language may begin in between.
func claimDirectory(dir string, surely int) int {
	switch {
	case !isGoDirectory(dir):
		return 0
	case hasGoFiles(dir) || moduleRoot(dir) == dir || workRoot(dir) == dir:
		return surely
	}
	return 20
}

func isGoDirectory(dir string) bool {
	return dir != "" && (hasGoFiles(dir) || moduleRoot(dir) != "" || workRoot(dir) != "")
}

func claimIf(condition bool, claim int) int {
	if condition {
		return claim
	}
	return 0
}
