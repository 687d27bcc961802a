package inspector

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"sync"
	"time"

	"aidb-mcp/internal/system/process"
)

// WatchCommand is the hidden command that makes a watchdog of this binary.
const WatchCommand = "watch-node"

// init makes a watchdog of this process when it was started to be one. It does
// not wait for main, for it stands between the start of each node and the first
// line of its program.
func init() {
	if len(os.Args) < 2 || os.Args[1] != WatchCommand {
		return
	}
	if err := watch(os.Getenv(chargeVariable)); err != nil {
		fmt.Fprintln(os.Stderr, WatchCommand+" is an internal command:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// chargeVariable holds the charge in the environment of each watchdog.
const chargeVariable = "NODE_INSPECTOR_INFO"

// charge is what js-debug's bootloader says of the node that it runs in.
type charge struct {
	IPC      string `json:"ipcAddress"` // where js-debug listens
	PID      string `json:"pid"`
	Script   string `json:"scriptName"`
	URL      string `json:"inspectorURL"`
	Waiting  bool   `json:"waitForDebugger"`
	ID       string `json:"ownId"`
	OpenerID string `json:"openerId"`
}

// target is a charge as js-debug wants it told.
type target struct {
	ID       string `json:"targetId"`
	PID      int    `json:"processId"`
	Type     string `json:"type"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	OpenerID string `json:"openerId,omitempty"`
	Attached bool   `json:"attached"`
	Opens    bool   `json:"canAccessOpener"`
	Port     int    `json:"processInspectorPort"`
}

// IsOf says whether a node accepts connections at a port for a debugger: a watchdog, ours or
// js-debug's, is there for it, or js-debug's bootloader, which opens it before the program's
// own code runs, has not started one yet.
func IsOf(pid, port int) bool {
	hasWatchdog := false
	for _, child := range process.Children(pid) {
		var c charge
		if json.Unmarshal([]byte(process.Variable(child.PID, chargeVariable)), &c) != nil {
			continue
		}
		if c.target().Port == port {
			return true
		}
		hasWatchdog = true
	}
	return !hasWatchdog && process.Variable(pid, bootloaderVariable) != "" && time.Since(process.Began(pid)) < bootloads
}

const (
	bootloaderVariable = "VSCODE_INSPECTOR_OPTIONS" // is in the environment of each node that the bootloader prepares
	bootloads          = 10 * time.Second           // is more than its start takes on a loaded machine
)

// message is one of js-debug's protocol with a watchdog: requests, their answers
// and events.
type message struct {
	ID     int    `json:"id,omitempty"`
	Method string `json:"method,omitempty"`
	Params any    `json:"params,omitempty"`
	Result any    `json:"result,omitempty"`
}

type targetEvent struct {
	Info target `json:"targetInfo"`
}

type sessionEvent struct {
	Target  string `json:"targetId"`
	Session string `json:"sessionId"`
}

type attached struct {
	Session string `json:"sessionId"`
}

// The requests that are the watchdog's own; all others are node's.
const (
	attachRequest = "Target.attachToTarget"
	detachRequest = "Target.detachFromTarget"
)

// watch joins js-debug to a node for as long as both are there.
func watch(settings string) error {
	var c charge
	if err := json.Unmarshal([]byte(settings), &c); err != nil {
		return fmt.Errorf("it is not told what to watch: %w", err)
	}
	w := &watchdog{charge: c}
	defer w.release()
	conn, err := net.Dial("unix", c.IPC)
	if err != nil {
		return err
	}
	defer conn.Close()
	w.ipc = conn
	w.say(message{Method: "Target.targetCreated", Params: targetEvent{c.target()}})
	in := bufio.NewReaderSize(conn, 64<<10)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			return nil // js-debug has gone
		}
		if err := w.take(text[:len(text)-1]); err != nil {
			return err
		}
	}
}

func (c charge) target() target {
	t := target{ID: c.ID, Title: c.Script, URL: "file://" + c.Script, OpenerID: c.OpenerID, Attached: true}
	t.PID, _ = strconv.Atoi(c.PID)
	if u, err := url.Parse(c.URL); err == nil {
		t.Port, _ = strconv.Atoi(u.Port())
	}
	if c.Waiting {
		t.Type = "waitingForDebugger"
	}
	return t
}

// watchdog is one at work.
type watchdog struct {
	charge charge
	ipc    net.Conn
	mu     sync.Mutex // held while something is written to ipc

	node   *socket       // nil before js-debug attaches and after it detaches
	show   *previews     // of node's values
	plants *plants       // in place of breakpoints
	over   chan struct{} // closed when the last of node has been passed on; nil before js-debug attaches
}

// take passes a message of js-debug's on to node, or does itself what it asks.
func (w *watchdog) take(text []byte) error {
	if w.node != nil && !bytes.Contains(text, []byte(attachRequest)) && !bytes.Contains(text, []byte(detachRequest)) {
		return w.plants.ask(text, w.show.ask)
	}
	var m struct {
		ID     int    `json:"id"`
		Method string `json:"method"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	switch m.Method {
	case attachRequest:
		return w.attach(m.ID)
	case detachRequest:
		w.say(message{ID: m.ID, Result: struct{}{}}) // the end of the connection ends the watch
		w.detach()
	default:
		if w.node != nil { // it only speaks of these requests
			return w.plants.ask(text, w.show.ask)
		}
	}
	return nil
}

func (w *watchdog) attach(request int) error {
	w.detach()
	node, err := dial(w.charge.URL)
	if err != nil {
		return err
	}
	w.node, w.show, w.over = node, newPreviews(node.send), make(chan struct{})
	w.plants = newPlants(w.charge.Waiting, node.send)
	w.say(message{ID: request, Result: attached{w.charge.ID}})
	go w.follow(node, w.plants, w.show, w.over)
	return nil
}

// detach hangs up on node. Passed on, the request would change nothing: node
// knows no targets, and its process would wait at its end for ever.
func (w *watchdog) detach() {
	if w.node != nil {
		w.plants.leave()
		w.node.close()
		w.node = nil
	}
}

// follow passes on what node says, and ends the watch with it.
func (w *watchdog) follow(node *socket, plants *plants, show *previews, over chan struct{}) {
	defer close(over)
	for {
		text, err := node.receive()
		if err != nil {
			break
		}
		if text = plants.hear(text); text == nil {
			continue
		}
		show.hand(text)
		if text = show.hear(text); text != nil {
			w.tell(text)
		}
	}
	_ = node.conn.Close()
	w.say(message{Method: "Target.targetDestroyed", Params: sessionEvent{w.charge.ID, w.charge.ID}})
	_ = w.ipc.Close()
}

func (w *watchdog) say(m message) {
	if text, err := json.Marshal(m); err == nil {
		w.tell(text)
	}
}

// tell writes one message to js-debug; when it has gone, reading says so.
func (w *watchdog) tell(text []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.ipc.Write(append(text, 0))
}

// release lets a program go that would wait for ever for a debugger that never came.
func (w *watchdog) release() {
	if w.over != nil {
		w.detach()
		<-w.over
		return
	}
	if !w.charge.Waiting {
		return
	}
	node, err := dial(w.charge.URL)
	if err != nil {
		return
	}
	defer node.conn.Close()
	if node.send([]byte(`{"id":1,"method":"Runtime.runIfWaitingForDebugger"}`)) == nil {
		_, _ = node.receive()
	}
}
