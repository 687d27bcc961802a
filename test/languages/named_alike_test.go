//go:build linux

package languages

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// namedAlike are programs of two files that have functions of the same names,
// the file whose functions are asked for, and where they stop.
var namedAlike = []struct {
	language, target string
	files            map[string]string
	of               string
	at               []string
}{
	{
		language: "go", target: ".", of: "b/b.go", at: []string{"b/b.go:7", "b/b.go:5"},
		files: map[string]string{
			"go.mod":  "module alike\n\ngo 1.21\n",
			"main.go": "package main\n\nimport \"alike/b\"\n\ntype A struct{}\n\nfunc (A) Do() int { return 1 }\n\nfunc Run() int { return A{}.Do() }\n\nfunc main() { println(Run(), b.Run()) }\n",
			"b/b.go":  "package b\n\ntype B struct{}\n\nfunc (B) Do() int { return 2 }\n\nfunc Run() int { return B{}.Do() }\n",
		},
	},
	{
		language: "python", target: "main.py", of: "b.py", at: []string{"b.py:6", "b.py:3"},
		files: map[string]string{
			"main.py": "import b\nclass A:\n    def Do(self):\n        return 1\ndef Run():\n    return A().Do()\nprint(Run(), b.Run())\n",
			"b.py":    "class B:\n    def Do(self):\n        return 2\n\ndef Run():\n    return B().Do()\n",
		},
	},
	{
		language: "javascript", target: "main.js", of: "b.js", at: []string{"b.js:5", "b.js:2"},
		files: map[string]string{
			"main.js": "const b = require('./b.js')\nfunction Do() {\n  return 1\n}\nfunction Run() {\n  return Do()\n}\nconsole.log(Run(), b.Run())\n",
			"b.js":    "function Do() {\n  return 2\n}\nexports.Run = function Run() {\n  return Do()\n}\n",
		},
	},
	{
		language: "java", target: "Main.java", of: "B.java", at: []string{"B.java:6", "B.java:3"},
		files: map[string]string{
			"Main.java": "public class Main {\n  int Do() {\n    return 1;\n  }\n  static int Run() {\n    return new Main().Do();\n  }\n  public static void main(String[] a) {\n    System.out.println(Run() + B.Run());\n  }\n}\n",
			"B.java":    "class B {\n  int Do() {\n    return 2;\n  }\n  static int Run() {\n    return new B().Do();\n  }\n}\n",
		},
	},
}

// TestFunctionsNamedAlike: the file beside a function's name says which of
// several is meant, whether the debugger can tell them apart or not.
func TestFunctionsNamedAlike(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, p := range namedAlike {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(p.of)), 0o755); err != nil {
				t.Fatal(err)
			}
			for name, text := range p.files {
				write(t, filepath.Join(dir, name), text, 0o644)
			}
			stopsAlike(t, dir, p.target, p.of, p.at, A{"language": p.language})
		})
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.cpp"), "int other();\nstruct A { int Do() { return 1; } };\nstatic int Run() {\n  return A().Do();\n}\nint main() { return Run() + other(); }\n", 0o644)
	write(t, filepath.Join(dir, "b.cpp"), "struct B { int Do() { return 2; } };\nstatic int Run() {\n  return B().Do();\n}\nint other() { return Run(); }\n", 0o644)
	run(t, dir, "g++", "-g", "-O0", "-o", "alike", "main.cpp", "b.cpp")
	for _, debugger := range viewers() {
		t.Run("cpp under "+debugger, func(t *testing.T) {
			t.Parallel()
			stopsAlike(t, dir, "alike", "b.cpp", []string{"b.cpp:3", "b.cpp:1"}, A{"mode": "exec", "language": "cpp", "adapter_options": A{"debugger": debugger}})
		})
	}
}

// stopsAlike runs a program with breakpoints on Run and Do of one file: it stops
// at these, and nowhere else.
func stopsAlike(t *testing.T, dir, target, of string, at []string, more A) {
	t.Helper()
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
	args := A{"target": target, "timeout_ms": startLimit, "breakpoints": []A{{"function": "Run", "file": of}, {"function": "Do", "file": of}}}
	maps.Copy(args, more)
	s.OK("session_start", args).Stopped("stopped_at_breakpoint", at[0])
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", at[1])
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Lacks("never hit")
}
