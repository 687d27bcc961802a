//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// keepsToItsFolder wants a program that stands at nested to be looked at as ever, though
// the server may use its folder only, and nothing else of the machine to be shown.
func (s *subject) keepsToItsFolder() {
	s.t.Helper()
	s.evaluates("arithmetic")
	s.OK("inspect", A{"target": "source"}).Contains([]string{"data"}, "nested")
	s.Fail("POLICY_DENIED", "inspect", A{"target": "source", "location": "/etc/passwd:1"})
	s.Fail("POLICY_DENIED", "session_start", s.args("calls", A{"cwd": "/"}))
	s.status(s.OK("session", nil), "stopped_at_breakpoint")
}

// What interpreters and compilers quote of a file outside of the folder is not told,
// neither by an exception nor by a build that fails.
func TestOutsideCodeIsNotQuoted(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	const secret = "OUTSIDE_CODE"
	p, out := testkit.NewProgramIn(t, "", "work"), testkit.NewProgramIn(t, "", "outside")
	out.Write("lib.py", "def boom(x):\n    return 1 / x  # "+secret+"\n")
	out.Write("bad.py", "x = = # "+secret+"\n")
	out.Write("lib.cjs", "exports.boom = function boom(x) { /* "+secret+" */ return x.y.z }\n")
	out.Write("bad.cjs", "let x = ; // "+secret+"\n")
	out.Write("args.txt", secret+"\n")
	out.Write("broken.h", "int "+secret+" x;\n")
	p.Write("main.py", "import sys\nsys.path.insert(0, '"+out.Dir+"')\nimport lib\ndef f(code):\n    return lib.boom(0)\nf(lib.boom.__code__)\n")
	p.Write("chained.py", "import sys\nsys.path.insert(0, '"+out.Dir+"')\nimport lib\ntry:\n    lib.boom(0)\nexcept ZeroDivisionError as e:\n    raise ValueError('mine') from e\n")
	p.Write("imports.py", "import sys\nsys.path.insert(0, '"+out.Dir+"')\nimport bad\n")
	p.Write("main.cjs", "const { boom } = require('"+out.Dir+"/lib.cjs');\nboom({});\n")
	p.Write("requires.cjs", "require('"+out.Dir+"/bad.cjs');\n")
	p.Write("main.c", "int main(void) { return 0; }\n")
	p.Write("includes.c", "#include \""+out.Dir+"/broken.h\"\nint main(void) { return 0; }\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--allow-root", p.Dir}})
	for _, file := range []string{"main.py", "chained.py", "imports.py", "main.cjs", "requires.cjs"} {
		for _, r := range []testkit.Reply{
			s.OK("session_start", A{"target": file, "timeout_ms": startLimit}),
			s.Call("inspect", A{"target": "exception"}), s.OK("inspect", A{"target": "all"}), s.Call("inspect", A{"frame": 1}),
		} {
			r.Lacks(secret)
		}
		if file == "chained.py" || file == "requires.cjs" || testkit.IsLong() { // what is told of the others is told in the same way
			s.Call("diagnose", A{"target": file, "timeout_ms": startLimit, "keep": false}).Lacks(secret)
		}
		s.OK("session", A{"action": "stop"})
	}
	s.OK("session_start", A{"target": "chained.py", "timeout_ms": startLimit}).Has("raise ValueError('mine') from e") // inside it is quoted as ever
	s.Fail("BUILD_FAILED", "session_start", A{"module": "bad", "language": "python", "env": A{"PYTHONPATH": out.Dir}}).Lacks(secret)
	s.Call("session_start", A{"target": "includes.c"}).Lacks("int " + secret)
	for _, arg := range []string{"@" + out.Dir + "/args.txt", "-include" + out.Dir + "/broken.h", "-Wl,@" + out.Dir + "/args.txt"} {
		s.Fail("POLICY_DENIED", "session_start", A{"target": "main.c", "build_args": []string{arg}}).Want("build_args", "error", "field").Lacks(secret)
	}
}
