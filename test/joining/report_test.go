package joining

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// telling knows and prints secrets.
const telling = `import os
handle = os.environ["MAIL_TOKEN"]
print("token", handle, "<script>alert(1)</script>", flush=True)
total = 20 + 1
print(total)  # @mark stop
`

// What happened in a session can be written down, by a person at a shell and by a client:
// the file needs no server, runs nothing and tells no secrets.
func TestReportIsWritten(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("tell.py", telling)
	runtime := "XDG_RUNTIME_DIR=" + filepath.Join(filepath.Dir(p.Dir), "runtime")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{runtime}})
	s.OK("session_start", A{"target": "tell.py", "env": A{"MAIL_TOKEN": "told-to-nobody-7"}, "breakpoints": []string{p.At("tell.py", "stop")}}).
		Stopped("stopped_at_breakpoint", p.At("tell.py", "stop"))
	report := func(args ...string) (string, error) {
		cmd := exec.Command(testkit.Binary(t), append([]string{"report"}, args...)...)
		cmd.Env = append(cmd.Environ(), runtime)
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	if said, err := report(); err == nil || !strings.Contains(said, "session(action: show)") {
		t.Errorf("before the agent has opened the session: %v: %s", err, said)
	}
	s.OK("session", A{"action": "show"})
	file := filepath.Join(t.TempDir(), "report.html")
	if said, err := report("--session", "python-1", "--output", file); err != nil || said != "" {
		t.Fatalf("%v: %s", err, said)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	res, err := s.Client.ReadResource(ctx, &mcp.ReadResourceParams{URI: "aidb://session/python-1/report"})
	if err != nil || len(res.Contents) != 1 || res.Contents[0].MIMEType != "text/html" {
		t.Fatalf("%+v, %v", res, err)
	}
	for name, text := range map[string]string{"the file": string(written), "the resource": res.Contents[0].Text} {
		for _, wanted := range []string{"<!doctype html>", "session_start", "total = 21", "token ‹masked›", "&lt;script&gt;"} {
			if !strings.Contains(text, wanted) {
				t.Errorf("%s lacks %q", name, wanted)
			}
		}
		for _, bad := range []string{"told-to-nobody-7", "<script", "link=", "http://", "https://"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %q", name, bad)
			}
		}
	}
	s.OK("execute", A{"action": "continue"}) // to the end: what is kept can still be written down
	story, err := report("--format", "markdown")
	if err != nil || !strings.HasPrefix(story, "# Debugging session python-1") || strings.Contains(story, "told-to-nobody-7") {
		t.Errorf("%v: %s", err, story)
	}
	if said, err := report("--format", "pdf"); err == nil || !strings.Contains(said, `html or markdown, not "pdf"`) {
		t.Errorf("%v: %s", err, said)
	}
	if said, err := report("--session", "go-7"); err == nil || !strings.Contains(said, "there are python-1") {
		t.Errorf("%v: %s", err, said)
	}
}
