package delve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/adapters/prepare"
)

// Check looks at the platform, the Go toolchain and the permission to trace.
// Without a toolchain ready binaries can still be debugged, so that is a warning.
func (*adapter) Check(ctx context.Context) adapters.Readiness {
	if !serve.Supported {
		return adapters.Readiness{
			Problem: fmt.Sprintf("Delve cannot debug programs on %s/%s", runtime.GOOS, runtime.GOARCH),
			Remedy:  "debug on Linux or macOS (amd64, arm64) or Windows (amd64), or attach to a headless Delve there with mode remote_attach",
		}
	}
	ready := adapters.Readiness{Ready: true, Version: serve.Version()}
	path, version, err := toolchain(ctx, "go")
	switch {
	case err != nil && !errors.Is(err, exec.ErrNotFound):
		ready.Problem = "the Go toolchain cannot be used: " + err.Error()
		ready.Remedy = "try `go version`; without it only ready binaries, core files and running programs can be debugged"
		return ready
	case err != nil:
		ready.Problem = "the Go toolchain was not found: only ready binaries, core files and running programs can be debugged"
		ready.Unbuilt = true
		ready.Remedy = "install Go 1.25 or newer (https://go.dev/dl) and put it in PATH"
		return ready
	}
	ready.Path = path
	ready.Version += ", " + version
	if problem, remedy := tracingRestriction(); problem != "" {
		ready.Problem, ready.Remedy = problem, remedy
	}
	return ready
}

// toolchain finds the go command and asks its version, like "go1.26.8".
func toolchain(ctx context.Context, command string) (path, version string, err error) {
	if path = prepare.Command(os.Getenv("PATH"), command); path == "" {
		return "", "", exec.ErrNotFound
	}
	cmd := exec.CommandContext(ctx, path, "env", "GOVERSION")
	cmd.Dir = filepath.Dir(path) // away from go.mod files that ask for another toolchain
	out, err := cmd.Output()
	if err != nil {
		return "", "", fmt.Errorf("asking %s for its version: %w", path, err)
	}
	return path, strings.TrimSpace(string(out)), nil
}

// tracingRestriction says whether the system restricts attaching to running programs.
// Starting a program under the debugger is always allowed.
func tracingRestriction() (problem, remedy string) {
	scope, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	if err != nil || os.Geteuid() == 0 {
		return "", "" // no such restriction, or it does not bind us
	}
	switch strings.TrimSpace(string(scope)) {
	case "0":
		return "", ""
	case "3":
		return "ptrace is switched off until the next boot (kernel.yama.ptrace_scope is 3): nothing can be debugged",
			"set kernel.yama.ptrace_scope to 0 in /etc/sysctl.d and reboot"
	}
	return "programs that run already cannot be attached to (kernel.yama.ptrace_scope); starting them works", attachRemedy
}

const attachRemedy = "allow it with `sudo sysctl kernel.yama.ptrace_scope=0`, or start the program under the debugger"
