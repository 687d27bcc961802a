//go:build linux && amd64

package profiling

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// Where the time of a Java program goes is what it has measured itself, in a run of its own.
func TestJavaCPU(t *testing.T) {
	dir := folder(t, "Busy.java")
	said := filepath.Join(dir, "said")
	s := testkit.Start(t, testkit.Options{Dir: dir})
	r := s.OK("profile", A{"target": "Busy.java", "args": []string{"5", said}, "save": true, "timeout_ms": 120_000})
	var rows []row
	r.Decode(&rows, "data", "rows")
	text, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	var hot, cold float64
	if _, err := fmt.Sscanf(string(text), "hot %f cold %f", &hot, &cold); err != nil {
		t.Fatal(err)
	}
	var found float64
	for _, row := range rows {
		if row.Function == "Busy.hot" {
			found += row.Self
		}
	}
	want := 100 * hot / (hot + cold)
	// Samples are as near to it as their number lets them be: on a busy machine there are fewer.
	if samples := r.Int("data", "samples"); samples < 20 || math.Abs(found-want) > 3+chance(want, samples) {
		t.Errorf("Busy.hot has %.1f %% of the samples, and %.1f %% of the time: %s", found, want, r)
	}
	if !strings.HasSuffix(r.At("data", "file"), ".jfr") {
		t.Errorf("the recording was not kept: %s", r)
	}
}

// What a running Java program holds, who holds it, and where its threads stand is seen while it runs.
func TestJavaRunning(t *testing.T) {
	dir := folder(t, "Busy.java")
	build := exec.Command("javac", "-g", "Busy.java")
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, text)
	}
	run := exec.Command("java", "-Xmx1g", "-cp", ".", "Busy", "120", filepath.Join(dir, "said"))
	run.Dir = dir
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Kill()
		_ = run.Wait()
	})
	s := testkit.Start(t, testkit.Options{Dir: dir})
	s.OK("session_start", A{"mode": "attach", "pid": run.Process.Pid, "adapter_options": A{"observe": true}})

	memory := s.OK("profile", A{"what": "memory", "seconds": 4, "timeout_ms": 120_000})
	var rows []row
	memory.Decode(&rows, "data", "rows")
	if len(rows) == 0 || rows[0].Grown < 200_000 {
		t.Fatalf("nothing has grown: %s", memory)
	}
	memory.Contains([]string{"data", "rows"}, "byte[]")
	memory.Has("Busy.KEPT", "Busy.keep")

	waits := s.OK("profile", A{"what": "waits", "seconds": 1, "timeout_ms": 120_000})
	waits.Decode(&rows, "data", "rows")
	stood := false
	for _, row := range rows {
		stood = stood || strings.HasPrefix(row.Function, "Busy.lambda$main$") && row.WaitsFor == "the lock of java.lang.Object"
	}
	if !stood {
		t.Errorf("nobody waits for the lock: %s", waits)
	}
	cpu := s.OK("profile", A{"what": "cpu", "seconds": 3, "timeout_ms": 120_000})
	cpu.Contains([]string{"data", "rows"}, "Busy.hot")
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "left running")
}
