//go:build linux

package languages

import (
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"aidb-mcp/internal/testkit"
)

// java is Java with the bridge on the JDK's debug interface.
var java = []*language{{
	Name: "java", Title: "Java", Adapter: "our own, on JDI",
	File:  "Tour.java",
	Start: func(*testkit.Program) A { return A{"target": "Tour.java"} },
	Share: func(t testing.TB, p *testkit.Program) { // what is compiled for one is kept for the others
		s := testkit.Start(t, testkit.Options{Dir: p.Dir})
		s.OK("session_start", A{"target": "Tour.java", "timeout_ms": startLimit}).Want("0", "data", "execution_state", "exit_code")
	},
	Outside: func(t testing.TB, p *testkit.Program, part string) outside {
		classes, port := tourClasses(t), freePort(t)
		agent := "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:" + port
		return outside{
			Command: exec.Command("java", agent, "-cp", classes, "Tour", part),
			Attach:  func(pid int) A { return A{"mode": "attach", "pid": pid} },
		}
	},
	Phrases: map[string]phrase{
		"yes":     {Show: `true`},
		"list":    {Show: `List\(3\) \[10, 20, 30\]`},
		"ages":    {Show: `LinkedHashMap\(2\) \{"one"=1, "two"=2\}`},
		"ada":     {Show: `(Tour\.Person)?\[name="Ada", age=36, address=.*\]`},
		"nothing": {Show: `null`},
		"element": {Say: "list.get(1)"},
		"entry":   {Say: `ages.get("two")`},
		"tag":     {Say: "ada.address.tags.get(1)"},

		"exception": {Show: `IllegalStateException`},
		"patch":     {Say: "static int twice(int n) {\n  return n * 3;\n}"},
	},
	Cannot: map[string]cannot{
		"step back":           {Why: "the JVM only runs forwards"},
		"step by instruction": {Why: "the adapter steps by line; bytecode has no registers"},
		"jump":                {Why: "the JVM cannot change the next line to run"},
		"memory":              {Why: "Java objects have no address"},
		"registers":           {Why: "Java has none"},
		"disassembly":         {Why: "Java code is not machine code"},
	},
}}

// tourClasses is a directory with the tour's classes, compiled once for all tests.
func tourClasses(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(commonDir(t), "java-classes")
	compileTour.Do(func() {
		javac(t, filepath.Join(testkit.Root(), "testdata", "java", "tour"), "-encoding", "UTF-8", "-g", "-d", dir, "Tour.java")
	})
	return dir
}

var compileTour sync.Once

// javac compiles by a compiler that takes no time to become fast: it does not live long.
func javac(t testing.TB, dir string, args ...string) {
	t.Helper()
	run(t, dir, "javac", append([]string{"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"}, args...)...)
}
