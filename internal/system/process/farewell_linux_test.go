package process_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"aidb-mcp/internal/system/process"
)

func init() {
	parts["parting"] = parting
	parts["tidy"] = func(args []string) {
		fmt.Println(os.Getpid())
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = os.WriteFile(args[0], nil, 0o600)
	}
}

// parting starts one child that cleans up at the end of its input, and one that
// does not notice.
func parting(args []string) {
	farewells := map[string]time.Duration{"tidy": time.Minute, "sleep": 50 * time.Millisecond}
	for part, farewell := range farewells {
		child, err := process.Start(process.Spec{Name: part, Path: os.Args[0], Args: []string{"helper", part, args[0]}, Farewell: farewell})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		go func() { _, _ = io.Copy(os.Stdout, child.Stdout) }()
	}
	select {}
}

// A child with a farewell outlives a killed server as long as it needs to clean up.
func TestFarewell(t *testing.T) {
	done := filepath.Join(t.TempDir(), "done")
	server := exec.Command(os.Args[0], "helper", "parting", done)
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	ids := pids(t, out, 2)
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait()
	within(t, "the child's last deed", func() bool {
		_, err := os.Stat(done)
		return err == nil
	})
	for _, pid := range ids {
		within(t, fmt.Sprintf("process %d is gone", pid), func() bool { return !alive(pid) })
	}
}

// Who ends a child says no farewell.
func TestKillNeedsNoFarewell(t *testing.T) {
	spec := helper(t, "sleep")
	spec.Farewell = time.Hour
	child := start(t, spec)
	ids := pids(t, child.Stdout, 1)
	child.Kill()
	mustAllBeGone(t, ids)
}
