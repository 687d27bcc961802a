//go:build linux

package tracing

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/filetree"
)

// within is a server in a workspace with these files; names ending in / lead below it.
func within(t *testing.T, below string, files map[string]string) *testkit.Server {
	t.Helper()
	t.Parallel()
	dir := t.TempDir()
	filetree.Write(t, dir, files)
	return testkit.Start(t, testkit.Options{Dir: filepath.Join(dir, below)})
}

// places are the statements of a chain.
func places(r testkit.Reply) string {
	var chain []struct{ At, Kind string }
	r.Decode(&chain, "data", "chain")
	var list []string
	for _, s := range chain {
		list = append(list, strings.TrimSpace(s.At+" "+s.Kind))
	}
	return strings.Join(list, ", ")
}

// A variable that happens to have the value is not where it came from.
func TestEqualByChanceInGo(t *testing.T) {
	s := within(t, ".", map[string]string{"go.mod": "module chance\n\ngo 1.24\n", "main.go": `package main

import "fmt"

type jar struct{ left int }

func (j *jar) take(n int) { j.left -= n }

func half(n int) int { return n / 2 }

func main() {
	j := &jar{left: 8}
	j.take(5)
	take := 1
	j.take(2)
	fmt.Println(j.left, take)
	two := 2
	quarter := half(half(j.left + 7))
	list := []int{take, two}
	last := list[take]
	fmt.Println(quarter, last, two)
	kept := last
	fmt.Println(kept)
}
`})
	for question, want := range map[string]string{
		"16 j.left":  "main.go:7",
		"21 quarter": "main.go:18, main.go:9 returned",
		"23 kept":    "main.go:22, main.go:20, main.go:19 made, main.go:17",
	} {
		line, expression, _ := strings.Cut(question, " ")
		r := s.OK("why", A{"target": ".", "location": "main.go:" + line, "expression": expression, "steps": 5, "timeout_ms": 60_000, "verbose": true})
		if got := places(r); got != want {
			t.Errorf("%s: the chain is %q, want %q, in\n%s", expression, got, want, r)
		}
		if r.At("data", "evidence") == "" {
			t.Errorf("%s: nothing says on what it stands, in\n%s", expression, r)
		}
	}
}

func TestEqualByChanceInPython(t *testing.T) {
	s := within(t, ".", map[string]string{"chance.py": `def pick(items, at):
    return items[at]


def main():
    one = 1
    three = 3
    down = three - one - one
    up = max(one, 0)
    got = pick([one, 5], 0)
    also = got
    either = also or 7
    print(down, up, got, also, either)


main()
`})
	for expression, want := range map[string]string{
		"down":   "chance.py:8",
		"up":     "chance.py:9",
		"either": "chance.py:12, chance.py:11, chance.py:10, chance.py:2 returned",
	} {
		r := s.OK("why", A{"target": "chance.py", "location": "chance.py:13", "expression": expression, "steps": 4})
		if got := places(r); !strings.HasPrefix(got, want) || expression != "either" && got != want {
			t.Errorf("%s: the chain is %q, want %q, in\n%s", expression, got, want, r)
		}
	}
}

// What ends otherwise is not the same, whatever the rows are, and both endings are told.
func TestRunsThatEndOtherwise(t *testing.T) {
	s := within(t, ".", map[string]string{"ends.py": "import sys, time\nfor i in range(3):\n    n = i * 2\nsys.exit(0)\n"})
	ask := A{"target": "ends.py", "what": "values", "location": "ends.py:3", "expressions": []string{"i"}}
	ask["against"] = A{"patch": "--- a/ends.py\n+++ b/ends.py\n@@\n-sys.exit(0)\n+sys.exit(3)\n"}
	s.OK("trace", ask).Want("false", "data", "same").Want("0", "data", "endings", "0", "exit_code").Want("3", "data", "endings", "1", "exit_code").
		Contains([]string{"summary"}, "end differently")
	ask["against"] = A{"patch": "--- a/ends.py\n+++ b/ends.py\n@@\n-sys.exit(0)\n+print('end')\n"}
	s.OK("trace", ask).Want("true", "data", "same").Contains([]string{"summary"}, "both runs are the same in all 3 hits")
	ask["against"], ask["timeout_ms"] = A{"patch": "--- a/ends.py\n+++ b/ends.py\n@@\n-sys.exit(0)\n+time.sleep(100)\n"}, 8_000
	s.OK("trace", ask).Want("not compared in full", "data", "same").Want("true", "data", "endings", "1", "cut").
		Contains([]string{"summary"}, "no difference was seen in 3 rows")
}

// Nothing is never of a run that was cut.
func TestNotSeenIsNotNever(t *testing.T) {
	limit := testkit.Rounds(12_000, 60_000) // in the long run the machine is busy, and the program begins late
	s := within(t, ".", map[string]string{"late.py": "import time\ndef late(n):\n    return n\n\ntime.sleep(300)\nlate(1)\n"})
	r := s.OK("trace", A{"target": "late.py", "what": "calls", "functions": []string{"late"}, "timeout_ms": limit})
	if r.Contains([]string{"summary"}, "no call of late was seen"); strings.Contains(r.At("summary"), "was called") || strings.Contains(r.At("summary"), "never") {
		t.Errorf("it says more than it has seen: %s", r)
	}
	s.Fail("VALIDATION_INVALID_LOCATION", "why", A{"target": "late.py", "location": "late.py:3", "expression": "n", "timeout_ms": limit}).
		Contains([]string{"error", "message"}, "cannot be told")
}

// A copy of a package finds what is installed above it.
func TestPatchOfAPackageBelowItsModules(t *testing.T) {
	s := within(t, "packages/shop", map[string]string{
		"node_modules/steps/index.js":       "exports.next = (n) => n + 1;\n",
		"node_modules/steps/package.json":   `{"name": "steps", "main": "index.js"}`,
		"packages/shop/package.json":        `{"name": "shop"}`,
		"packages/shop/index.js":            "const { next } = require('steps');\nfor (let n = 0; n < 4; n++) {\n  const v = next(n) * 2;\n  console.log(v);\n}\n",
		"packages/other/never/touched.json": "{}",
	})
	r := s.OK("trace", A{
		"target": "index.js", "what": "values", "location": "index.js:4", "expressions": []string{"v"}, "timeout_ms": 60_000,
		"against": A{"patch": "--- a/index.js\n+++ b/index.js\n@@\n-  const v = next(n) * 2;\n+  const v = next(n) * (n > 2 ? 3 : 2);\n"},
	})
	r.Want("4", "data", "first_difference", "row").Contains([]string{"data", "first_difference", "ours"}, "8").Contains([]string{"data", "first_difference", "theirs"}, "12")
}

// A program that make has built is built again where its source is changed.
func TestPatchOfAProgramThatMakeBuilds(t *testing.T) {
	for _, tool := range []string{"make", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no " + tool)
		}
	}
	s := within(t, ".", map[string]string{
		"Makefile": "CFLAGS = -g -O0\nsum: sum.c\n\t$(CC) $(CFLAGS) -o $@ sum.c\n",
		"sum.c":    "#include <stdio.h>\n\nint main(void) {\n    int sum = 0;\n    for (int i = 0; i < 3; i++) {\n        sum += i;\n        printf(\"%d\\n\", sum);\n    }\n    return 0;\n}\n",
	})
	dir := s.Dir
	cmd := exec.Command("make")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before, err := os.ReadFile(filepath.Join(dir, "sum"))
	if err != nil {
		t.Fatal(err)
	}
	ask := A{
		"target": ".", "what": "values", "location": "sum.c:7", "expressions": []string{"sum"}, "timeout_ms": 90_000,
		"against": A{"patch": "--- a/sum.c\n+++ b/sum.c\n@@\n-        sum += i;\n+        sum += i * i;\n"},
	}
	r := s.OK("trace", ask)
	r.Want("3", "data", "first_difference", "row").Contains([]string{"data", "first_difference", "ours"}, "3").Contains([]string{"data", "first_difference", "theirs"}, "5")
	ask["target"] = "./sum" // what was built before the patch never stands for what the patch makes
	if r := s.Call("trace", ask); !strings.Contains(r.String(), "was built before the patch") && r.At("data", "first_difference", "row") != "3" {
		t.Errorf("the program of before is run, in\n%s", r)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "sum")); err != nil || string(after) != string(before) {
		t.Errorf("the program in the workspace was built again, %v", err)
	}
}
