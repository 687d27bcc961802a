package java

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Where a running program notes more than there is room for, the oldest rows go, and are counted.
func TestJavaKeepsTheNewestRows(t *testing.T) {
	t.Parallel()
	agent, dir := filepath.Dir(agentArchive(t)), t.TempDir()
	args := slices.Concat(quick, []string{"-encoding", "UTF-8", "-cp", agent, "-d", dir, filepath.Join("testdata", "Newest.java")})
	if text, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
		t.Fatalf("%s", text)
	}
	classes := agent + string(filepath.ListSeparator) + dir
	text, err := exec.Command("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classes, "aidb.recorder.Newest", filepath.Join(dir, "s")).CombinedOutput()
	if want := "20000 rows, 30001 to 50000, dropped 30000, hits 50000"; err != nil || strings.TrimSpace(string(text)) != want {
		t.Errorf("got %v %s, want %s", err, text, want)
	}
}
