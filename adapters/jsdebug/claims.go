package jsdebug

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
)

// inspectorPort is where node listens unless told otherwise.
const inspectorPort = 9229

// Claims is certain of files with our extensions and of node processes, and
// hopeful about directories with a package.json.
func (*adapter) Claims(r adapters.Request) int {
	switch {
	case r.CoreFile != "" || r.Mode == adapters.Exec:
		return 0
	case r.Module != "":
		return claimScript(r)
	case r.PID != 0:
		if isNode(r.PID) {
			return 100
		}
		return 0
	case r.Host != "" || r.Port != 0:
		return claimPort(r)
	}
	file, _, named := strings.Cut(r.Test, "::")
	if named && isScript(file) {
		return 95
	}
	if r.Target == "" {
		return claimDirectory(r.Workspace)
	}
	path := prepare.Locate(r, r.Target)
	switch {
	case isScript(path) && prepare.Exists(path):
		return 100
	case isScript(path):
		return 90
	case prepare.IsDir(path):
		return claimDirectory(path)
	}
	return 0
}

// claimPort is certain of a node that listens on this machine, and of what
// speaks as it does.
func claimPort(r adapters.Request) int {
	switch {
	case r.Debuggee.Runs("node", "nodejs") || r.Debuggee.Protocol == adapters.Inspector:
		return adapters.Certain
	case r.Debuggee.Protocol != "":
		return 0
	case r.Port == inspectorPort:
		return 60
	case claimDirectory(r.Workspace) > 0:
		return 30
	}
	return 0
}

func claimDirectory(dir string) int {
	if dir != "" && prepare.Exists(filepath.Join(dir, manifestName)) {
		return 45
	}
	return 0
}

func isScript(path string) bool {
	ext := filepath.Ext(path)
	return slices.Contains(scripts, ext) || slices.Contains(typescript, ext)
}

func isTypeScript(path string) bool { return slices.Contains(typescript, filepath.Ext(path)) }

// isNode says that a process is a Node.js, where the system shows processes.
func isNode(pid int) bool {
	exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	return err == nil && strings.HasPrefix(filepath.Base(exe), "node")
}
