//go:build linux

package attempting

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"aidb-mcp/adapters/java"
	"aidb-mcp/internal/testkit"
)

// A JVM takes away the files of those of its user's JVMs that have ended. To one of a trial
// all that run outside have, and it leaves their files alone.
func TestJVMsOutsideStayKnown(t *testing.T) {
	t.Parallel()
	l := tongues[len(tongues)-1]
	s := open(t, l, testkit.Options{})
	if err := exec.Command("java", "-version").Run(); err != nil { // which makes the directory
		t.Fatal(err)
	}
	dir := java.New(java.Options{}).Info().Apart()
	if dir == "" {
		t.Fatal("where JVMs of this user are known is not known")
	}
	file := filepath.Join(dir, strconv.Itoa(os.Getpid()))
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(file) })
	wants(t, s.try(s.right()), "passed")
	if _, err := os.Stat(file); err != nil {
		t.Errorf("this process is known no more: %v", err)
	}
}
