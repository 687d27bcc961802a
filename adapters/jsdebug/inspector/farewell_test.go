package inspector

import (
	"bufio"
	"encoding/json"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// counting is a node whose worker counts, and says so.
const counting = `
const { Worker, isMainThread } = require("worker_threads");
if (isMainThread) { new Worker(__filename); setInterval(() => {}, 1000); } else {
let n = 0;
function work() {
  n++;
  console.log(n);
}
setInterval(work, 2);
}
`

// A worker that a debugger leaves at a breakpoint counts on, however the debugger leaves.
func TestTheRelayTakesLeaveOfWorkers(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatal("node is not installed: the tests of JavaScript need it")
	}
	for way, part := range map[string]func(*Relay, *socket){
		"closed":   func(_ *Relay, node *socket) { node.close() },
		"broken":   func(_ *Relay, node *socket) { _ = node.conn.Close() },
		"disabled": func(_ *Relay, node *socket) { (&debugger{node, 100}).say("", "NodeWorker.disable", nil) },
		"ended":    func(r *Relay, _ *socket) { go r.Close() },
	} {
		t.Run(way, func(t *testing.T) {
			address, path, counts := startCounting(t)
			at := filepath.Join(t.TempDir(), "s")
			r, err := NewRelay(at, address, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			conn, err := net.Dial("unix", at)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			node := &socket{conn: conn, in: bufio.NewReader(conn)}
			if err := node.shakeHands(&url.URL{Path: path}); err != nil {
				t.Fatal(err)
			}
			standAt(t, node)
			for len(counts) > 0 {
				<-counts
			}
			part(r, node)
			for range 200 { // more than the breakpoint would let pass
				select {
				case <-counts:
				case <-time.After(20 * time.Second):
					t.Fatal("the worker does not count")
				}
			}
		})
	}
}

// debugger is one that sends requests.
type debugger struct {
	node *socket
	last int
}

// say sends a request to the main thread, or to a worker by its session.
func (d *debugger) say(worker, method string, params any) {
	d.last++
	text, err := json.Marshal(message{ID: d.last, Method: method, Params: params})
	if err != nil {
		panic(err)
	}
	if worker != "" {
		d.say("", "NodeWorker.sendMessageToWorker", toWorker{worker, string(text)})
		return
	}
	_ = d.node.send(text)
}

func startCounting(t *testing.T) (address, path string, counts <-chan string) {
	t.Helper()
	file := t.TempDir() + "/counting.js"
	if err := os.WriteFile(file, []byte(counting), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "--inspect=127.0.0.1:0", file)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(said).ReadString('\n')
	m := regexp.MustCompile(`ws://([^/]+)(/\S+)`).FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("%q, %v", line, err)
	}
	passed := make(chan string, 10_000)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			passed <- lines.Text()
		}
	}()
	<-passed
	return m[1], m[2], passed
}

// standAt is a debugger that has the worker stop at its line, and is told so.
func standAt(t *testing.T, node *socket) {
	t.Helper()
	f := &debugger{node: node}
	f.say("", "NodeWorker.enable", map[string]any{"waitForDebuggerOnStart": false})
	for {
		text, err := node.receive()
		if err != nil {
			t.Fatal(err)
		}
		var event struct {
			Method string   `json:"method"`
			Params toWorker `json:"params"`
		}
		if err := json.Unmarshal(text, &event); err != nil {
			t.Fatal(err)
		}
		if event.Method == "NodeWorker.attachedToWorker" {
			f.say(event.Params.Session, "Debugger.enable", nil)
			f.say(event.Params.Session, "Debugger.setBreakpointByUrl", map[string]any{"lineNumber": 5, "urlRegex": ".*counting.js"})
		}
		if strings.Contains(event.Params.Message, "Debugger.paused") {
			return
		}
	}
}
