package jsdebug

import (
	"cmp"
	"context"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/process"
)

// Files are the scripts of the process's command line, and what its inspector calls
// the main script.
func (*adapter) Files(ctx context.Context, r adapters.Request) []string {
	var files []string
	if r.Debuggee.PID != 0 {
		dir, args := process.WorkOf(r.Debuggee.PID)
		for _, arg := range args {
			if !isScript(arg) {
				continue
			}
			if !filepath.IsAbs(arg) {
				arg = filepath.Join(dir, arg)
			}
			files = append(files, arg)
		}
	}
	if r.Port == 0 {
		return files
	}
	ctx, cancel := context.WithTimeout(ctx, inspectLimit)
	defer cancel()
	var targets []struct{ URL string }
	if lookUp(ctx, net.JoinHostPort(cmp.Or(r.Host, "127.0.0.1"), strconv.Itoa(r.Port)), "/json/list", &targets) != nil {
		return files // of which attaching tells best
	}
	for _, t := range targets {
		if u, err := url.Parse(t.URL); err == nil && u.Scheme == "file" && !slices.Contains(files, u.Path) {
			files = append(files, u.Path)
		}
	}
	return files
}
