package jsdebug

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What V8 has made of js-debug is kept for the next start, and not taken for another js-debug.
func TestIsCompiledOnce(t *testing.T) {
	home := t.TempDir()
	adapter := filepath.Join(home, "src")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(adapter, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(adapter, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func() string {
		t.Helper()
		dir := filepath.Join(t.TempDir(), bootDirectory)
		if err := layOut(dir, adapter); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("node", filepath.Join(dir, serverName), "a", "b").Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.ReplaceAll(string(out), dir, "DIR")
	}
	kept := func() []string {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(home, "code-*"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}

	write("beside.js", `module.exports = "beside"`)
	// Its own time: what it compiled to is written a second after its start.
	text := `console.log(1, __filename, process.argv.slice(2), require("./beside.js"), typeof require("child_process").spawn); setTimeout(() => console.log("over"), 1500)`
	write(serverName, text)
	const said = " DIR/dapDebugServer.js [ 'a', 'b' ] beside function\nover\n"
	if got := run(); got != "1"+said || len(kept()) != 1 {
		t.Fatalf("the first start: %q, %s", got, kept())
	}
	first, err := os.Stat(kept()[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := run(); got != "1"+said || len(kept()) != 1 {
		t.Errorf("the second: %q, %s", got, kept())
	}
	if again, err := os.Stat(kept()[0]); err != nil || !os.SameFile(first, again) {
		t.Errorf("it was compiled again: %v", err)
	}
	write(serverName, strings.Replace(text, "console.log(1", "console.log(2", 1)) // as long as the first
	if got := run(); got != "2"+said || len(kept()) != 2 {
		t.Errorf("another js-debug: %q, %s", got, kept())
	}
}
