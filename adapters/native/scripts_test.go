package native

import (
	"os/exec"
	"strings"
	"testing"
)

// TestScripts runs the tests of what our scripts do without a debugger.
func TestScripts(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal(err)
	}
	tests := exec.CommandContext(t.Context(), python, "-B", "-m", "unittest", "discover", "-s", "tests", "-t", ".")
	tests.Dir = "scripts"
	out, err := tests.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\nOK") {
		t.Errorf("%v\n%s", err, out)
	}
}
