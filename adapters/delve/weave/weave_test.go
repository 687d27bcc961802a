package weave

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// AIDB_WEAVE names directories of modules, parted by colons: everything is woven into
// all of their packages, and their own tests must come out as without.
func TestOthersProgramsStayAsTheyAre(t *testing.T) {
	for _, dir := range filepath.SplitList(os.Getenv("AIDB_WEAVE")) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			for _, wish := range []recording.Wish{{Calls: &recording.Calls{Names: []string{"*"}}}, {Writes: &recording.Writes{All: true}}} {
				compareTests(t, dir, wish)
			}
		})
	}
}

func compareTests(t *testing.T, dir string, wish recording.Wish) {
	t.Helper()
	overlay, remarks, err := Weave(t.Context(), Program{Dir: dir, Args: []string{"./..."}, Env: os.Environ(), Tests: true, Wish: wish}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Log(remarks)
	plain, woven := outcomes(t, dir), outcomes(t, dir, "-overlay="+overlay)
	for name, outcome := range plain {
		if woven[name] != outcome {
			t.Errorf("%s: %s without the recorder, %q with it", name, outcome, woven[name])
		}
	}
	t.Logf("%d tests", len(plain))
}

func outcomes(t *testing.T, dir string, flags ...string) map[string]string {
	c := exec.Command("go", append(append([]string{"test", "-v", "-count=1", "-vet=off"}, flags...), "./...")...)
	c.Dir = dir
	c.Env = append(os.Environ(), recording.Variable+"="+t.TempDir())
	text, _ := c.CombinedOutput()
	found := map[string]string{}
	for line := range strings.Lines(string(text)) {
		outcome, name, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok && strings.HasPrefix(outcome, "--- ") {
			name, _, _ = strings.Cut(name, " ")
			found[name] = outcome
		}
	}
	if out := os.Getenv("AIDB_WEAVE_OUT"); out != "" {
		_ = os.WriteFile(filepath.Join(out, filepath.Base(dir)+"."+map[bool]string{true: "woven", false: "plain"}[len(flags) > 0]), text, 0o600)
	}
	return found
}
