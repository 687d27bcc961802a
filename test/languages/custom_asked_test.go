//go:build linux

package languages

import (
	"bufio"
	"maps"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// What is asked for and a table's adapter cannot do is refused by name. An
// adapter that has its client start the program gives it standard input.
func TestWhatACustomAdapterIsAskedFor(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	table := func(ending, console string, more A) A {
		all := A{
			"command": []string{"python3", filepath.Join(testkit.Home(), "adapters", "debugpy", "debugpy", "adapter")}, "extensions": []string{ending},
			"launch": A{"program": "${program}", "cwd": "${cwd}", "env": "${env}", "console": console},
		}
		maps.Copy(all, more)
		return all
	}
	p := testkit.NewProgram(t, "")
	for _, name := range []string{"main.snake", "main.worm"} {
		p.Write(name, "print('got', input())\nprint('and', input())\n")
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{testkit.Tables(t, A{
		"snake": table(".snake", "integratedTerminal", A{"terminal": true}),
		"worm":  table(".worm", "internalConsole", nil),
		"toy":   A{"command": []string{testkit.FakeAdapter(t, "toydbg", testkit.DiesWhenRunning)}, "extensions": []string{".worm"}, "launch": A{}},
	})}})
	s.OK("session_start", A{"target": "main.snake", "stdin": "one\n", "stdin_open": true, "exceptions": []string{"none"}, "timeout_ms": 1000})
	s.OK("session", A{"action": "input", "text": "two\n"})
	s.OK("execute", A{"action": "wait"}).Want("0", "data", "execution_state", "exit_code").Has("got one", "and two")

	s.Fail("CAPABILITY_NOT_SUPPORTED", "session_start", A{"target": "main.worm", "language": "worm", "stdin": "one\n"}).Has("starts the program itself", `\"terminal\": true`, "adapters.worm")
	s.Fail("CAPABILITY_NOT_SUPPORTED", "session_start", A{"target": "main.worm", "language": "toy", "exceptions": []string{"all"}}).Has("exceptions", "no filters")
}

// A program that is attached to keeps its input: text for it is refused.
func TestInputOfAnAttachedProgram(t *testing.T) {
	t.Parallel()
	sleeper := exec.Command("python3", "-c", "import time; print('ready', flush=True); time.sleep(60)")
	said, err := sleeper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = sleeper.Process.Kill()
		_ = sleeper.Wait() // it was killed
	})
	testkit.Adapters(t)
	if _, err := bufio.NewReader(said).ReadString('\n'); err != nil { // python3 may be a script that becomes it
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{})
	s.Fail("CAPABILITY_NOT_SUPPORTED", "session_start", A{"mode": "attach", "language": "python", "pid": sleeper.Process.Pid, "stdin": "one\n"}).Has("keeps its own standard input")
}
