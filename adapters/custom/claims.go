package custom

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
)

// Claims is certain of existing files with an extension of the table.
func (a *adapter) Claims(r adapters.Request) int {
	ext := strings.ToLower(filepath.Ext(r.Target))
	switch {
	case r.Target == "" || !slices.Contains(a.table.Extensions, ext):
		return 0
	case prepare.Exists(prepare.Locate(r, r.Target)):
		return 100
	}
	return 90
}

// Check looks for the command.
func (a *adapter) Check(context.Context) adapters.Readiness {
	if a.broken != nil {
		return adapters.Readiness{Problem: a.broken.Message, Remedy: a.broken.Hint}
	}
	command := values{}.text(a.table.Command[0])
	path, err := exec.LookPath(command)
	if err != nil {
		f := a.missingCommand(command)
		return adapters.Readiness{Problem: f.Message, Remedy: f.Hint}
	}
	return adapters.Readiness{Ready: true, Path: path}
}
