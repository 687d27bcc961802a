//go:build linux

package benchmarks

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// plainly is how long a program may take by itself, its build included.
const plainly = 90 * time.Second

// runIn writes files into a new folder, runs a command there and returns what it printed,
// the folder's path replaced by nothing, and its code; ended is false when its time was over.
func (m *maker) runIn(files map[string]string, command ...string) (out string, code int, ended bool) {
	m.t.Helper()
	dir, err := os.MkdirTemp("", "aidb-benchmarks-")
	if err != nil {
		m.t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	p := program{Files: files}
	p.write(m.t, dir)
	ctx, cancel := context.WithTimeout(m.t.Context(), plainly)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "RUST_BACKTRACE=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		m.t.Fatalf("%q: %v", command, err)
	}
	text = bytes.ReplaceAll(text, []byte(dir+string(filepath.Separator)), nil)
	return string(text), code, ctx.Err() == nil
}
