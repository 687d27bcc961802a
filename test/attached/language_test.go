//go:build linux

package attached

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"aidb-mcp/internal/testkit"
)

// language is one language with one debugger, and its program: testdata/FOLDER/attached.
type language struct {
	name, folder string
	file         string   // where the hot line is
	mark         string   // of that line; default "hot"
	build        []string // makes the program; nil: it needs no making
	run          []string // the command that becomes the program, in its directory; PORT is a free one for its debugger
	attach       A        // beside the process
	watch        string   // what a watchpoint watches; empty: there are none, and "all" exceptions stop it
	throws       bool     // and catches what it throws
	isLate       bool     // a breakpoint is called verified at its first hit only
	traces       bool     // the debugger holds the program by ptrace

	making sync.Mutex
	at     *testkit.Program // where it was made
}

var (
	golang = &language{name: "go", folder: "go", file: "main.go", watch: "main.counter", traces: true,
		build: []string{"go", "build", "-gcflags=all=-N -l", "-o", "attached", "."}, run: []string{"./attached"}}
	c = &language{name: "c", folder: "cpp", file: "attached.c", mark: "hot-c", watch: "counter", traces: true,
		build: []string{"gcc", "-g", "-O0", "-pthread", "-o", "attached", "attached.c"}, run: []string{"./attached"}}
	cpp = &language{name: "cpp", folder: "cpp", file: "attached.cpp", watch: "counter", traces: true, throws: true,
		build: []string{"g++", "-g", "-O0", "-pthread", "-o", "attached", "attached.cpp"}, run: []string{"./attached"}}
	rust = &language{name: "rust", folder: "rust", file: "src/main.rs", watch: "counter", traces: true,
		build: []string{"cargo", "build", "--quiet", "--offline"}, run: []string{"target/debug/attached"}}
	python = &language{name: "python", folder: "python", file: "attached.py", throws: true, run: []string{"python3", "attached.py"}}
	// It opens its inspector when we come.
	javascript = &language{name: "javascript", folder: "javascript", file: "attached.js", run: []string{"node", "--inspect-port=PORT", "attached.js"}, isLate: true, throws: true}
	java       = &language{name: "java", folder: "java", file: "Attached.java", watch: "counter",
		build: []string{"javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-g", "Attached.java"},
		run:   []string{"java", "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:PORT", "-cp", ".", "Attached"}}

	cGDB    = by("gdb", c, "")
	cppGDB  = by("gdb", cpp, "")
	rustGDB = by("gdb", rust, "")
	cppLLDB = by("lldb-dap", cpp, cpp.watch)
)

var languages = []*language{golang, c, cpp, rust, python, javascript, java, cGDB, cppGDB, rustGDB, cppLLDB}

// by is a language with another debugger.
func by(debugger string, l *language, watch string) *language {
	return &language{name: l.name + "-" + debugger, folder: l.folder, file: l.file, mark: l.mark, build: l.build, run: l.run,
		traces: true, throws: l.throws, watch: watch, attach: A{"adapter_options": A{"debugger": debugger}}}
}

// reaches says that a program of the language can come into a state.
func (l *language) reaches(s state) bool { return s != watching || l.watch != "" || l.throws }

// environment is what the debuggers of all these languages need of a server.
func environment() []string {
	return []string{"PATH=" + filepath.Join(testkit.Home(), "gdb", "bin") + string(os.PathListSeparator) + os.Getenv("PATH")}
}

// program is the language's program, made once for all tests in t, with which it goes.
func (l *language) program(t testing.TB) *testkit.Program {
	l.making.Lock()
	defer l.making.Unlock()
	if l.at != nil {
		if _, err := os.Stat(l.at.Dir); err == nil {
			return l.at
		}
	}
	p := testkit.NewProgramOf(t, l.folder, "attached")
	if len(l.build) > 0 {
		cmd := exec.Command(l.build[0], l.build[1:]...)
		cmd.Dir = p.Dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("the program in %s could not be made: %s: %v\n%s", l.name, l.build, err, out)
		}
	}
	l.at = p
	return p
}

// breakpoint is one at the hot line, in the words of session_start.
func (l *language) breakpoint(more A) A {
	mark := l.mark
	if mark == "" {
		mark = "hot"
	}
	b := A{"file": filepath.Join(l.at.Dir, l.file), "line": l.at.Line(mark)}
	maps.Copy(b, more)
	return b
}
