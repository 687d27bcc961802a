//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// What only looks runs nothing that lies in the workspace: not the interpreter
// of its virtual environment, no module of its that an interpreter would import,
// no tool of a directory of its that stands in PATH.
func TestLookingRunsNothing(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	for _, name := range []string{".venv/bin", "bin"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ran := filepath.Join(dir, "ran")
	script := "#!/bin/sh\necho \"$0 $*\" >> " + ran + "\nexec python3 \"$@\"\n"
	write(t, filepath.Join(dir, ".venv/pyvenv.cfg"), "home = /usr/bin\nversion = 3.11.2\n", 0o644)
	write(t, filepath.Join(dir, ".venv/bin/python"), script, 0o755)
	write(t, filepath.Join(dir, "main.py"), "print(1)\n", 0o644)
	write(t, filepath.Join(dir, "json.py"), "open("+"'"+ran+"'"+", 'a').write('imported')\n", 0o644)
	for _, tool := range []string{
		"python3", "node", "npm", "java", "javac", "mvn", "gradle", "go", "cargo", "rustc", "gcc", "g++", "cmake", "make", "gdb", "lldb-dap",
	} {
		write(t, filepath.Join(dir, "bin", tool), script, 0o755)
	}
	write(t, filepath.Join(dir, "mvnw"), script, 0o755)
	write(t, filepath.Join(dir, "gradlew"), script, 0o755)
	write(t, filepath.Join(dir, "pom.xml"), "<project><artifactId>a</artifactId></project>\n", 0o644)
	write(t, filepath.Join(dir, "Cargo.toml"), "[package]\nname = \"a\"\nversion = \"0.1.0\"\n", 0o644)
	write(t, filepath.Join(dir, "package.json"), `{"name":"a","scripts":{"test":"node x.js"}}`, 0o644)
	write(t, filepath.Join(dir, "go.mod"), "module a\n\ntoolchain go1.99.0\n", 0o644)

	path := filepath.Join(dir, "bin") + ":.:" + os.Getenv("PATH")
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: []string{"PATH=" + path}})
	s.OK("init", nil).Has("pom.xml")
	s.OK("adapter", A{"action": "list"}).Has("3.11.2")
	s.Call("adapter", A{"action": "verify"})
	s.OK("config", A{"action": "show"})
	s.OK("context", nil)
	s.OK("session", A{"action": "list"})
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("what only looks has run code of the workspace:\n%s", text)
	}
}
