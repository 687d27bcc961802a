//go:build unix

package jsdebug

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The helper that js-debug calls ends a process with its children.
func TestTerminateProcess(t *testing.T) {
	script := filepath.Join(t.TempDir(), "terminateProcess.sh")
	if err := os.WriteFile(script, []byte(terminateProcess), 0o644); err != nil {
		t.Fatal(err)
	}
	tree := exec.Command("sh", "-c", "sleep 1000 & echo started; wait")
	out, err := tree.StdoutPipe() // which the sleep holds too
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err = out.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("sh", script, strconv.Itoa(tree.Process.Pid), "9").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if n, err := out.Read(make([]byte, 8)); n != 0 || err == nil {
		t.Errorf("read %d, %v", n, err)
	}
	if err := tree.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("it ended with %v", err)
	}
}
