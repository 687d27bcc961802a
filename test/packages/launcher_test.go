//go:build linux

package packages

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/packaging"
)

// actor stands for the binary. It shows what a launcher passes on.
const actor = `#!/bin/sh
case $1 in
repeat) cat; echo "${2-}" >&2; exit 7 ;;
wait)   sleep 60 & trap 'kill $!; echo told; exit 9' TERM; echo ready; wait ;;
die)    kill -KILL $$ ;;
esac
`

// What npm's launcher runs has its streams, its arguments and its signals, and the
// launcher ends as that does.
func TestLauncher(t *testing.T) {
	t.Parallel()
	launcher := installActor(t)
	t.Run("streams", func(t *testing.T) {
		t.Parallel()
		var errors strings.Builder
		cmd := exec.Command(launcher, "repeat", "one word")
		cmd.Stdin, cmd.Stderr = strings.NewReader("to be repeated"), &errors
		out, _ := cmd.Output()
		if string(out) != "to be repeated" || errors.String() != "one word\n" || cmd.ProcessState.ExitCode() != 7 {
			t.Errorf("it printed %q and %q, and ended with %v", out, errors.String(), cmd.ProcessState)
		}
	})
	t.Run("signal", func(t *testing.T) {
		t.Parallel()
		cmd := exec.Command(launcher, "wait")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		if !lines.Scan() || lines.Text() != "ready" {
			t.Fatalf("it printed %q", lines.Text())
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || lines.Text() != "told" {
			t.Errorf("after the signal it printed %q", lines.Text())
		}
		if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 9 {
			t.Errorf("it ended with %v", cmd.ProcessState)
		}
	})
	t.Run("killed", func(t *testing.T) {
		t.Parallel()
		cmd := exec.Command(launcher, "die")
		if _ = cmd.Run(); cmd.ProcessState.String() != "signal: killed" {
			t.Errorf("it ended with %v", cmd.ProcessState)
		}
	})
}

// Without the platform's package the launcher says what is missing, and why that may be.
func TestLauncherWithoutBinary(t *testing.T) {
	t.Parallel()
	launcher := installActor(t)
	if err := os.RemoveAll(filepath.Join(filepath.Dir(launcher), "..", "@aidb-mcp")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(launcher, "version")
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "the package @aidb-mcp/linux-") || !strings.Contains(string(out), "--omit=optional") {
		t.Errorf("it ended with %v and printed\n%s", cmd.ProcessState, out)
	}
}

// installActor installs the launcher with the actor for a binary, as if there were
// packages for other platforms, too, which cannot be had.
func installActor(t *testing.T) string {
	t.Helper()
	binary, made := filepath.Join(t.TempDir(), "actor"), t.TempDir()
	if err := os.WriteFile(binary, []byte(actor), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := packaging.Pack(packaging.Release{Version: "1.2.3", Builds: []packaging.Build{
		{OS: runtime.GOOS, Arch: runtime.GOARCH, Path: binary}, {OS: "darwin", Arch: "arm64", Path: binary}, {OS: "windows", Arch: "amd64", Path: binary},
	}}, made); err != nil {
		t.Fatal(err)
	}
	platform, err := filepath.Glob(filepath.Join(made, "aidb-mcp-linux-*.tgz"))
	if err != nil || len(platform) != 1 {
		t.Fatalf("%q, %v", platform, err)
	}
	return npmInstall(t, clean(t), platform[0], filepath.Join(made, "aidb-mcp-1.2.3.tgz"))
}
