package observing

import (
	"bufio"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A recorder is armed, a request is sent, and the same reply has its answer and the rows that
// it has made.
func TestTriggerOfARecorder(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "shop")
	cmd := exec.Command(p.Build(".", "-gcflags=all=-N -l"))
	cmd.Dir = p.Dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + strings.TrimSpace(strings.TrimPrefix(line, "serving "))

	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	observe(t, s, cmd.Process)
	if !mayObserve(t, s, program{total: "main.price"}) {
		return
	}
	arm := A{"action": "arm", "what": "calls", "functions": []string{"main.price"}, "trigger": A{"http": url + "/order?n=7"}}
	r := s.OK("trace", arm).Want("200", "data", "trigger", "status").Contains([]string{"data", "trigger", "first_bytes"}, "total 22, served 1").
		Contains([]string{"data", "how"}, "in the kernel")
	var rows [][]string
	r.Decode(&rows, "data", "rows")
	if len(rows) != 1 || rows[0][4] != "n=7" || rows[0][5] != "22" {
		t.Errorf("the rows are %q", rows)
	}
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "read", "trigger": arm["trigger"]}).Want("trigger", "error", "field")
	s.OK("session", A{"action": "stop"})
	answer, err := http.Get(url + "/order?n=1")
	if err != nil {
		t.Fatal("the program does not answer any more:", err)
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); !strings.HasPrefix(string(text), "total 4, served 2") {
		t.Errorf("it answers %q", text)
	}
}
