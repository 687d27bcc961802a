//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// The debugger dies as it would of a fault of its own: while our script reads a value.
const (
	dyingOfRust = `script import os, aidb.rust.words as w; f = w.Words.struct; ` +
		`w.Words.struct = lambda s, v, d: os._exit(9) if v.type.name.endswith("Deadly") else f(s, v, d)`
	dyingOfCPP = `script import os, aidb.cpp.words as w; f = w.shape; ` +
		`w.shape = lambda v: os._exit(9) if v.type.name.startswith("std::vector<") else f(v)`
)

// TestValuesThatTheDebuggerDiesOf: LLDB has died of values that it was asked for (of a local
// tokio Runtime, for one). The next start of the program, also of one that is built anew, leaves out what is
// of that type.
func TestValuesThatTheDebuggerDiesOf(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for file, c := range map[string]struct{ text, dying, typ, left string }{
		"deadly.rs": {`struct Deadly { n: i32 }
struct Held { inner: Deadly, k: i32 }
fn main() {
    let held = Held { inner: Deadly { n: 2 }, k: 3 };
    println!("{} {}", held.inner.n, held.k); // stop
}
`, dyingOfRust, "deadly::Deadly", "Held { inner: <not shown: the debugger died of a value of this type>, k: 3 }"},
		"deadly.cpp": {`#include <vector>

int main() {
  std::vector<int> held{2, 3};
  return held[0] - held[1]; // stop
}
`, dyingOfCPP, "std::vector<int>", "<not shown: the debugger died of a value of this type>"},
	} {
		for _, debugger := range []string{"codelldb", "lldb-dap"} {
			t.Run(file+"/"+debugger, func(t *testing.T) {
				t.Parallel()
				if debugger == "lldb-dap" {
					testkit.Long(t, "the same with LLVM's adapter")
				}
				p := testkit.NewProgram(t, "")
				p.Write(file, c.text)
				s := testkit.Start(t, testkit.Options{Dir: p.Dir})
				start := A{
					"target": file, "timeout_ms": startLimit, "breakpoints": []A{{"file": file, "line": 5}},
					"adapter_options": A{"debugger": debugger, "initCommands": []string{c.dying}},
				}
				s.Fail("ADAPTER_CRASHED", "session_start", start).Has("It died while it read a value of the type " + c.typ + ": the next start leaves the values of that type out")
				p.Write(file, c.text+"// built anew\n")
				r := s.OK("session_start", start).Stopped("stopped_at_breakpoint", file+":5")
				r.Want(c.left, "data", "locals", "held", "v")
				r.Has("values of the type " + c.typ + " are not shown")
			})
		}
	}
}
