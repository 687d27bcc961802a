//go:build linux

package torture

import (
	_ "embed"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// language is one language with one adapter, and its pest: testdata/FOLDER/pest.
type language struct {
	name, folder string
	file         string // where it stops
	mark         string // of that line; default "stop"
	source       A      // starts it from its source
	built        A      // starts what prepare has built; nil: as from the source
	prepare      func(t testing.TB, p *testkit.Program)
	noBuild      bool // nothing is compiled to start it from its source
}

func (l *language) builds() bool { return !l.noBuild }

// These are cheap to start, and used where any language will do.
var (
	golang = &language{name: "go", folder: "go", file: "main.go", source: A{"target": "."},
		built: A{"mode": "exec", "target": "pest"}, prepare: compiled("go", "build", "-gcflags=all=-N -l", "-o", "pest", ".")}
	python     = &language{name: "python", folder: "python", file: "pest.py", source: A{"target": "pest.py"}, noBuild: true}
	javascript = &language{name: "javascript", folder: "javascript", file: "pest.js", source: A{"target": "pest.js"}, noBuild: true}
	cGDB       = &language{name: "c-gdb", folder: "cpp", file: "pest.c", mark: "stop-c", source: A{"target": "pest.c", "adapter_options": A{"debugger": "gdb"}},
		built: A{"target": "pest", "adapter_options": A{"debugger": "gdb"}}, prepare: compiled("gcc", "-g", "-O0", "-o", "pest", "pest.c")}
)

var languages = []*language{
	golang,
	python,
	javascript,
	{name: "typescript", folder: "typescript", file: "src/pest.ts", source: A{"target": "src/pest.ts"}, noBuild: true, prepare: transpiled},
	cGDB,
	{name: "cpp-codelldb", folder: "cpp", file: "pest.cpp", source: A{"target": "pest.cpp"},
		built: A{"target": "pest"}, prepare: compiled("g++", "-g", "-O0", "-o", "pest", "pest.cpp")},
	{name: "cpp-lldb", folder: "cpp", file: "pest.cpp", source: A{"target": "pest.cpp", "adapter_options": A{"debugger": "lldb-dap"}},
		built: A{"target": "pest", "adapter_options": A{"debugger": "lldb-dap"}}, prepare: compiled("g++", "-g", "-O0", "-o", "pest", "pest.cpp")},
	{name: "rust", folder: "rust", file: "src/main.rs", source: A{"target": "."},
		built: A{"target": "target/debug/pest"}, prepare: compiled("cargo", "build", "--quiet", "--offline")},
	{name: "java", folder: "java", file: "Pest.java", source: A{"target": "Pest.java"},
		built: A{"target": "Pest.class"}, prepare: compiled("javac", "-nowarn", "-g", "Pest.java")},
	{name: "ruby", folder: "ruby", file: "pest.rb", source: A{"target": "pest.rb"}, noBuild: true},
	{name: "perl", folder: "perl", file: "pest.pl", source: A{"target": "pest.pl"}, noBuild: true},
}

// environment is what the adapters of all these languages need of a server, which
// must not have its collector close what it has forgotten.
func environment() []string {
	return []string{
		"GOGC=off", "GOMEMLIMIT=512MiB",
		testkit.CustomTables(),
		"PATH=" + filepath.Join(testkit.Home(), "gdb", "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
	}
}

//go:embed pest.sh
var pests string

// program is a copy of the language's pest, ready to run.
func (l *language) program(t testing.TB) *testkit.Program {
	p := testkit.NewProgramOf(t, l.folder, "pest")
	p.Write("pest.sh", pests)
	if l.prepare != nil {
		l.prepare(t, p)
	}
	return p
}

// start are the arguments of session_start for a recipe.
func (r recipe) start(p *testkit.Program, token string) A {
	l, mode, way := r.language, "stay", r.language.built
	if r.source || way == nil {
		way = r.language.source
	}
	wait := callLimit / 2
	if r.ending == byExit { // which is not told of where what was started holds the streams
		mode, wait = "exit", 20*time.Second
	}
	a := maps.Clone(way)
	a["target"] = filepath.Join(p.Dir, way["target"].(string))
	a["cwd"], a["session_id"], a["timeout_ms"] = p.Dir, token, wait.Milliseconds()
	a["args"] = append([]string{mode, token}, r.pests...)
	switch r.moment {
	case anyMoment, starting, building, stopped, stopping:
		mark := l.mark
		if mark == "" {
			mark = "stop"
		}
		a["breakpoints"] = []A{{"file": filepath.Join(p.Dir, l.file), "line": p.Line(mark)}}
	case running:
		if mode == "stay" {
			a["timeout_ms"] = 0
		}
	}
	return a
}

var serial = regexp.MustCompile(`(?i)(serial(: i32)? = )\d+`)

// touch edits the source so that it is built anew.
func (r recipe) touch(p *testkit.Program) error {
	file := filepath.Join(p.Dir, r.language.file)
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, serial.ReplaceAll(text, []byte("${1}"+strconv.Itoa(r.n))), 0o644)
}

// compiled runs a command in the program's directory.
func compiled(name string, args ...string) func(testing.TB, *testkit.Program) {
	return func(t testing.TB, p *testkit.Program) {
		cmd := exec.Command(name, args...)
		cmd.Dir = p.Dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
}

// transpiled does to the TypeScript what tsc would: the types go, and the lines stay.
func transpiled(t testing.TB, p *testkit.Program) {
	source, err := os.ReadFile(filepath.Join(p.Dir, "src", "pest.ts"))
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`: (string|number)\b`).ReplaceAllString(string(source), "")
	p.Write("dist/pest.js", text+"//# sourceMappingURL=pest.js.map\n")
	lines := "AAAA" + strings.Repeat(";AACA", strings.Count(text, "\n")-1)
	p.Write("dist/pest.js.map", `{"version":3,"file":"pest.js","sources":["../src/pest.ts"],"names":[],"mappings":"`+lines+`"}`)
}
