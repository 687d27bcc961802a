//go:build linux

package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"aidb-mcp/internal/testkit"
)

// rust is Rust with each of its debuggers. CodeLLDB gets the package, which is
// built by the server; the others get a binary.
var rust = []*language{
	rustWith("rust", "CodeLLDB", A{"target": "."}, map[string]cannot{}),
	rustWith("rust-lldb", "lldb-dap", A{"target": "target/debug/tour", "adapter_options": A{"debugger": "lldb-dap"}}, map[string]cannot{
		"step by instruction": {Why: "lldb-dap steps by instruction from version 20"},
	}),
	rustWith("rust-gdb", "gdb", A{"target": "target/debug/tour", "adapter_options": A{"debugger": "gdb"}}, map[string]cannot{
		"watchpoint": {Why: "gdb's adapter has no data breakpoints"},
	}),
}

func rustWith(name, adapter string, start A, cannots map[string]cannot) *language {
	l := &language{
		Name: name, Title: "Rust", Adapter: adapter, Folder: "rust", File: filepath.Join("src", "main.rs"),
		// A panic's own words, without the stack that the environment may ask for.
		Env:     []string{"RUST_BACKTRACE=0"},
		Prepare: cargoBuild,
		Start:   func(*testkit.Program) A { return start },
		Outside: func(t testing.TB, p *testkit.Program, part string) outside {
			options := start["adapter_options"]
			return outside{
				Command: exec.Command(filepath.Join(p.Dir, "target", "debug", "tour"), part),
				Attach: func(pid int) A {
					a := A{"mode": "attach", "pid": pid}
					if options != nil {
						a["adapter_options"] = options
					}
					return a
				},
			}
		},
		Phrases: map[string]phrase{
			"exception": {Show: "panic"},
			"third":     {Say: "deep.next.unwrap().next.unwrap().depth"},
		},
		Cannot: cannots,
	}
	l.Again, l.Short = "cpp", []string{"locals as real values", "uncaught exception"}
	if adapter == "CodeLLDB" { // which C++ has, too: but for what is read and shown of the language
		l.Short, l.New = slices.Concat(spoken, []string{
			"condition", "function breakpoint", "step into", "stop view", "locals as real values", "evaluate", "uncaught exception", "capabilities",
		}), true
	}
	cannots["patch"] = cannot{Why: "a running Rust program cannot load new code"}
	cannots["step back"] = cannot{Why: "LLDB and gdb's adapter only run forwards"}
	if start["target"] != "." {
		l.Phrases["text"] = phrase{Show: "()"}
		l.Rebuild = cargoBuild
	}
	if adapter == "gdb" {
		l.Copy = "rust-lldb" // whose binary nobody builds again meanwhile
		l.Env = append(l.Env, withGDB()...)
	}
	return l
}

func cargoBuild(t testing.TB, p *testkit.Program) {
	t.Helper()
	run(t, p.Dir, "cargo", "build", "--quiet")
	if _, err := os.Stat(filepath.Join(p.Dir, "target", "debug", "tour")); err != nil {
		t.Fatal(err)
	}
}
