package testkit

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

func TestPretty(t *testing.T) {
	const reply = `{"success":true,"n":18446744073709551615,"empty":{},"code":"one\ntwo <3\n","list":[{"a":1},{"b":"` +
		"a value that is long enough to need a line of its own" + `"},"and another one, so that all of it is too long"]}`
	const want = `{
  "success": true,
  "n": 18446744073709551615,
  "empty": {},
  "code": """
    one
    two <3
""",
  "list": [
    {"a": 1},
    {"b": "a value that is long enough to need a line of its own"},
    "and another one, so that all of it is too long"
  ]
}`
	if got := string(Pretty([]byte(reply))); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := string(Pretty([]byte("not JSON"))); got != "not JSON" {
		t.Errorf("text that is not JSON became %q", got)
	}
}

func TestCheckResult(t *testing.T) {
	for line, want := range map[string]string{
		`{"result":{"tools":[]}}`: "",
		`{"result":{"content":[{"type":"text","text":"{\"success\":true,\"a\":1}"}],"structuredContent":{"a":1,"success":true}}}`:                               "",
		`{"result":{"content":[{"type":"text","text":"{\"success\":true,\"a\":9007199254740993}"}],"structuredContent":{"a":9007199254740992,"success":true}}}`: "differ",
		`{"result":{"content":[{"type":"text","text":"{\"success\":true}"}],"structuredContent":{"success":true,"more":1}}}`:                                    "differ",
		`{"result":{"content":[{"type":"text","text":"{\"success\":false}"}],"structuredContent":{"success":false}}}`:                                           "isError",
		`{"result":{"content":[{"type":"text","text":"{}"},{"type":"text","text":"{}"}],"structuredContent":{}}}`:                                               "2 blocks",
		`printed by the program`: "not JSON",
	} {
		err := checkResult([]byte(line))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

func TestCalls(t *testing.T) {
	archive := txtar.Parse([]byte("Shows.\n-- calls --\n# why\n> step {\"at\":\n>   \"main.go:@here\"}\n{\n  \"a\": 1\n}\n\n> session\nold\n"))
	p := NewProgram(t, "")
	p.Write("main.go", "package main\n\nfunc main() {} //@mark here\n")
	calls, tail := parseCalls(t, archive)
	if len(calls) != 2 || tail != "" {
		t.Fatalf("got %d calls and tail %q", len(calls), tail)
	}
	tool, args := calls[0].request(t, p)
	if tool != "step" || string(args) != "{\"at\":\n   \"main.go:3\"}" {
		t.Errorf("got %s %q", tool, args)
	}
	if calls[0].golden != "{\n  \"a\": 1\n}\n" || calls[0].before != "# why\n" || calls[1].before != "\n" {
		t.Errorf("got %+v", calls)
	}
	if tool, args := calls[1].request(t, p); tool != "session" || string(args) != "{}" {
		t.Errorf("got %s %q", tool, args)
	}
}

func TestProcessTable(t *testing.T) {
	const mark = "AIDB_TESTKIT_SELF=1"
	cmd := exec.Command("sleep", "600")
	cmd.Env = append(os.Environ(), mark)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	Eventually(t, 10*time.Second, "sleep in the table", func() bool {
		procs := Marked(mark)
		return len(procs) == 1 && procs[0].PID == cmd.Process.Pid && procs[0].Parent == os.Getpid()
	})
	if Resident(cmd.Process.Pid) == 0 {
		t.Error("no resident memory")
	}
	if procs := Descendants(os.Getpid()); len(procs) != 1 || procs[0].Command != "sleep 600" {
		t.Errorf("descendants: %v", procs)
	}
	_ = cmd.Process.Kill()
	NoneLeft(t, 10*time.Second, func() []Proc { return Marked(mark) })
	_ = cmd.Wait()
	NoneLeft(t, 10*time.Second, func() []Proc { return Descendants(os.Getpid()) })
}
