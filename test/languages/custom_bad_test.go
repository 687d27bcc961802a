//go:build linux

package languages

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// Whatever is wrong with an adapter is told in time, with what it said itself,
// and the server goes on.
func TestCustomAdaptersOfNoUse(t *testing.T) {
	t.Parallel()
	listens := A{
		"stdio": []string{},
		"tcp":   []string{"--port=${port}"},
		"unix":  []string{"--sock-path=${socket}"},
	}
	cases := []struct {
		fault     testkit.Fault
		transport string
		more      A
		code      string
		says      []string
	}{
		{testkit.Hangs, "stdio", nil, "ADAPTER_TIMEOUT", []string{"initialize"}},
		{testkit.Hangs, "tcp", nil, "ADAPTER_TIMEOUT", []string{"did not listen at 127.0.0.1:"}},
		{testkit.Hangs, "unix", nil, "ADAPTER_TIMEOUT", []string{"did not listen at /"}},
		{testkit.Hangs, "tcp", A{"ready": "listening at"}, "ADAPTER_TIMEOUT", []string{"printed no line like"}},
		{testkit.Dies, "stdio", nil, "ADAPTER_CRASHED", []string{testkit.FakeWords}},
		{testkit.Dies, "tcp", nil, "ADAPTER_CRASHED", []string{testkit.FakeWords, "exit code 7", "pip install toy"}},
		{testkit.Dies, "unix", A{"ready": "listening"}, "ADAPTER_CRASHED", []string{testkit.FakeWords, "exit code 7"}},
		{testkit.Dies, "unix", A{"debuggee_serves": true}, "SESSION_START_FAILED", []string{testkit.FakeWords, "exit code 7"}},
		{testkit.Dies, "tcp", A{"debuggee_serves": true, "ready": "listening"}, "SESSION_START_FAILED", []string{testkit.FakeWords}},
		{testkit.Babbles, "stdio", nil, "ADAPTER_TIMEOUT", []string{"no DAP message", testkit.FakeWords}},
		{testkit.Babbles, "tcp", nil, "ADAPTER_TIMEOUT", []string{"initialize"}},
		{testkit.Halves, "stdio", nil, "ADAPTER_TIMEOUT", []string{"initialize"}},
		{testkit.DiesAtLaunch, "stdio", nil, "ADAPTER_CRASHED", []string{testkit.FakeWords}},
		{testkit.DiesAtLaunch, "unix", nil, "ADAPTER_CRASHED", []string{testkit.FakeWords}},
		{testkit.RefusesLaunch, "tcp", A{"ready": `listening at .*:(\d+)`}, "SESSION_START_FAILED", []string{testkit.FakeWords}},
		{testkit.NeverReady, "stdio", nil, "ADAPTER_TIMEOUT", []string{"launch"}},
	}
	for _, c := range cases {
		t.Run(string(c.fault)+" "+c.transport, func(t *testing.T) {
			t.Parallel()
			command := append([]string{testkit.FakeAdapter(t, "toydbg", c.fault)}, listens[c.transport].([]string)...)
			table := A{
				"command": command, "transport": c.transport, "extensions": []string{".toy"}, "launch": A{"program": "${program}"},
				"install": "pip install toy",
			}
			maps.Copy(table, c.more)
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "main.toy"), []byte("x\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			s := testkit.Start(t, testkit.Options{Dir: dir, Env: []string{testkit.Tables(t, A{"toy": table})}, Args: []string{"--adapter-start-timeout", "2s"}})
			s.Fail(c.code, "session_start", A{"target": "main.toy"}).Has(c.says...)
			s.Fail("SESSION_NOT_STARTED", "step", nil)
		})
	}
}

// An adapter that dies under a running program ends the session, and says why.
func TestACustomAdapterThatDiesLater(t *testing.T) {
	t.Parallel()
	table := A{"command": []string{testkit.FakeAdapter(t, "toydbg", testkit.DiesWhenRunning)}, "extensions": []string{".toy"}, "launch": A{}}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.toy"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: []string{testkit.Tables(t, A{"toy": table})}})
	s.Call("session_start", A{"target": "main.toy"}).Has("ADAPTER_CRASHED", testkit.FakeWords)
}

// Mistakes in the settings file are told by the key, wherever it is used.
func TestMistakesInATable(t *testing.T) {
	t.Parallel()
	file := testkit.Tables(t, A{
		"toy":  A{"command": []string{"aidb-no-such-adapter"}, "extensions": []string{".toy"}, "launch": A{}, "install": "pip install toy"},
		"odd":  A{"command": "odd --stdio", "extensions": []string{".odd"}, "launch": A{}},
		"typo": A{"command": []string{"sh"}, "extensions": []string{".typo"}, "launch": A{"program": "${prgram}"}},
		"go":   A{"command": []string{"sh"}, "launch": A{}},
	})
	dir := t.TempDir()
	for _, name := range []string{"main.toy", "main.odd", "main.typo"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: []string{file}})
	s.Fail("ADAPTER_NOT_FOUND", "session_start", A{"target": "main.toy"}).Has("aidb-no-such-adapter", "pip install toy")
	s.Fail("CONFIG_INVALID", "session_start", A{"target": "main.odd"}).Has("adapters.odd.command", "a list of texts", "config.json")
	s.Fail("CONFIG_INVALID", "session_start", A{"language": "typo", "target": "main.typo"}).Has("adapters.typo.launch.program", "did you mean ${program}?")
	s.OK("config", A{"action": "adapters"}).Has("adapters.odd.command", "go is debugged by an adapter of this build already")
}
