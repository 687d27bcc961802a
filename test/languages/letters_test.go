//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A client that the system starts has no locale, or that of C. Programs whose
// folder, name and text have letters that English lacks are debugged all the
// same; each stops at its third line.
func TestLettersWithoutALocale(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgramIn(t, "", "größe")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"LANG=", "LC_CTYPE=", "LC_ALL=C"}})
	for file, c := range map[string]struct{ text, shown string }{
		"prüf.py":    {"def messen():\n    text = 'größe €'\n    return text\nmessen()\n", `'größe €'`},
		"prüf.js":    {"function messen() {\n  const text = 'größe €';\n  return text;\n}\nmessen();\n", `'größe €'`},
		"prüf.go":    {"package main\nfunc main() { text := \"größe €\"\nprintln(text) }\n", `"größe €"`},
		"prüf.c":     {"int main(void) {\n  const char *text = \"größe €\";\n  return !*text;\n}\n", `"größe €"`},
		"prüf.rs":    {"fn main() {\n    let text = String::from(\"größe €\");\n    println!(\"{}\", text);\n}\n", `"größe €"`},
		"Größe.java": {"class Größe {\n  public static void main(String[] args) { String text = \"größe €\";\n  args = null;\n} }\n", `"größe €"`},
	} {
		p.Write(file, c.text)
		s.OK("session_start", A{"target": file, "timeout_ms": startLimit, "breakpoints": []A{{"file": file, "line": 3}}}).
			Stopped("stopped_at_breakpoint", file+":3")
		s.OK("inspect", A{"expression": "text"}).Want(c.shown, "data", "result", "v")
		s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")
	}
}

// gdb's own Python fails in C's locale at the first letter that is not of ASCII: a session
// and a trace are the same in each locale.
func TestGDBWithoutALocale(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgramIn(t, "", "größe")
	path := filepath.Join(testkit.Home(), "gdb", "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"LANG=", "LC_CTYPE=", "LC_ALL=C", "PATH=" + path}})
	p.Write("prüf.c", "int main(void) {\n  const char *text = \"größe €\";\n  return !*text;\n}\n")
	under := A{"debugger": "gdb"}
	s.OK("session_start", A{"target": "prüf.c", "timeout_ms": startLimit, "breakpoints": []A{{"file": "prüf.c", "line": 3}}, "adapter_options": under}).
		Stopped("stopped_at_breakpoint", "prüf.c:3")
	s.OK("inspect", A{"expression": "text"}).Want(`"größe €"`, "data", "result", "v")
	s.OK("trace", A{"target": "prüf.c", "what": "values", "location": "prüf.c:3", "expressions": []string{"text"}, "start": A{"adapter_options": under}}).
		Want("1", "data", "hits").Contains([]string{"data", "rows"}, "größe €")
}
