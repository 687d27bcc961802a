package process

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A directory that a child was killed with, as it made it, does not stay until the next
// server comes.
func TestUnfinishedDirectories(t *testing.T) {
	tmp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP"} {
		t.Setenv(name, tmp)
	}
	lifeline, end := io.Pipe()
	report, told := io.Pipe()
	go func() {
		_, _ = io.Copy(io.Discard, report)
		if err := os.Mkdir(filepath.Join(tmp, rootPrefix+"AAAAAAAAAAAAA"+makingSuffix), 0o700); err != nil {
			t.Error(err)
		}
		end.Close()
	}()
	keep(lifeline, told)
	if left, err := filepath.Glob(filepath.Join(tmp, rootPrefix+"*")); len(left) > 0 || err != nil {
		t.Errorf("left is %q, %v", left, err)
	}
}

func TestInRoot(t *testing.T) {
	for path, want := range map[string]bool{
		"/tmp/aidb-AAAAAAAAAAAA2/lock": true, "/tmp/aidb-AAAAAAAAAAAA2.new/lock": true, "/tmp/aidb-AAAAAAAAAAAA2": true,
		"/tmp/aidb-testkit-1/lock": false, "/tmp/work/aidb-mcp": false, "/": false, "": false,
	} {
		if got := InRoot(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}
