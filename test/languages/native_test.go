//go:build linux

package languages

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// native is C and C++ with each of their debuggers. CodeLLDB gets the source, which is
// built by the server, where a behaviour edits that; else all get a binary.
var native = []*language{
	cpp("cpp", "CodeLLDB", A{"target": "tour.cpp"}),
	cpp("cpp-lldb", "lldb-dap", A{"target": "tour", "adapter_options": A{"debugger": "lldb-dap"}}),
	cpp("cpp-gdb", "gdb", A{"target": "tour", "adapter_options": A{"debugger": "gdb"}}),
}

func cpp(name, adapter string, start A) *language {
	l := &language{
		Name: name, Title: "C++", Adapter: adapter, Folder: "cpp", File: "tour.cpp",
		Start: func(p *testkit.Program) A {
			if _, err := os.Stat(filepath.Join(p.Dir, "tour")); err == nil {
				built := maps.Clone(start)
				built["target"] = "tour"
				return built
			}
			return start
		},
		Outside: func(t testing.TB, p *testkit.Program, part string) outside {
			bin := filepath.Join(t.TempDir(), "tour")
			if text, err := os.ReadFile(filepath.Join(p.Dir, "tour")); err == nil {
				write(t, bin, string(text), 0o755)
			} else {
				run(t, p.Dir, "g++", "-g", "-O0", "-pthread", "-o", bin, "tour.cpp")
			}
			options := start["adapter_options"]
			return outside{
				Command: exec.Command(bin, part),
				Attach: func(pid int) A {
					a := A{"mode": "attach", "pid": pid, "source_paths": []string{p.Dir}}
					if options != nil {
						a["adapter_options"] = options
					}
					return a
				},
			}
		},
		Phrases: map[string]phrase{
			"nothing":   {Show: "nullptr"},
			"entry":     {Say: "ages[1].second"},
			"third":     {Say: "deep->next->next->depth"},
			"exception": {Show: "std::runtime_error"},
		},
		Cannot: map[string]cannot{
			"patch":     {Why: "a running C++ program cannot load new code"},
			"step back": {Why: "LLDB and gdb's adapter only run forwards"},
		},
	}
	if adapter != "CodeLLDB" {
		l.Again, l.Copy, l.New = "cpp", "cpp", true
		l.Short = []string{"line breakpoint", "condition", "locals as real values", "uncaught exception", "pause", "attach", "capabilities"}
	}
	switch adapter {
	case "gdb":
		l.Short = append(l.Short, "step into", "evaluate", "stop view", "standard input", "killed at a stop")
		l.Env = withGDB()
		l.Phrases["text"] = phrase{Show: "()"}
		l.Cannot["watchpoint"] = cannot{Why: "gdb's adapter has no data breakpoints"}
	case "lldb-dap":
		l.Cannot["step by instruction"] = cannot{Why: "lldb-dap steps by instruction from version 20"}
	}
	build := func(t testing.TB, p *testkit.Program) {
		run(t, p.Dir, "g++", "-g", "-O0", "-pthread", "-o", "tour", "tour.cpp")
	}
	if start["target"] == "tour" {
		l.Prepare, l.Rebuild = build, build
	} else {
		l.Share = build
	}
	return l
}

// withGDB puts the gdb that was fetched for the tests before the machine's,
// which may be too old to speak DAP.
func withGDB() []string {
	dir := filepath.Join(testkit.Home(), "gdb", "bin")
	return []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
}
