//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// With the program's lines watched nothing looks at all packages that are installed,
// which are hundreds where people work: the debugger does so once, before that.
func TestPythonPackagesAreNotRead(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("sitecustomize.py", `import sys

looks = []


class Packages:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return None

    @staticmethod
    def find_distributions(context=None):
        looks.append(sys.gettrace() is not None)
        return []


sys.meta_path.append(Packages)
`)
	p.Write("main.py", "import importlib.metadata\nimport sitecustomize\n\nbefore = list(sitecustomize.looks)\nlist(importlib.metadata.distributions())\nprint(\"watched:\", sum(before), \"then:\", len(sitecustomize.looks) - len(before))  # @mark end\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"PYTHONPATH=" + p.Dir}})
	s.OK("session_start", A{"target": "main.py", "breakpoints": []A{{"file": "main.py", "line": p.Line("end")}}, "timeout_ms": startLimit}).
		Stopped("stopped_at_breakpoint", p.At("main.py", "end"))
	s.OK("execute", nil).Has("watched: 0 then: 1")
}
