package debugpy

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Breakpoints in code are come to exactly where and when a tracer is told of a line, and
// code with some is as it was for everybody else.
func TestPointsInCode(t *testing.T) {
	t.Parallel()
	python := older(t)
	out, err := exec.Command(python, "-I", filepath.Join("testdata", "points.py"), filepath.Join("boot", "rewriting.py")).CombinedOutput()
	if text := string(out); err != nil || !strings.HasSuffix(text, " lines\n") || strings.Count(text, "\n") != 1 {
		t.Errorf("%s%v", out, err)
	}
}

// older is an interpreter that has to trace what it debugs.
func older(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "python3.11", "python3.10", "python3.9", "python3.8"} {
		if err := exec.Command(name, "-c", "import sys; sys.exit(not (3, 8) <= sys.version_info < (3, 12))").Run(); err == nil {
			return name
		}
	}
	t.Skip("there is no Python 3.8 to 3.11")
	return ""
}

// A newer interpreter has other instructions, and puts no points into code: what does is
// given to it all the same.
func TestPointsAreLeftOutByAnotherInterpreter(t *testing.T) {
	t.Parallel()
	newer := "import dis, opcode, sys; opcode.opmap, sys.version_info = {}, (3, 15, 0); exec(open(sys.argv[1]).read())"
	out, err := exec.Command(older(t), "-I", "-c", newer, filepath.Join("boot", "rewriting.py")).CombinedOutput()
	if err != nil {
		t.Errorf("%s%v", out, err)
	}
}
