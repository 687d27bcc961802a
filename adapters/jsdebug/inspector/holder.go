package inspector

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// holdCommand is the hidden command that makes a connection of this binary to a node's inspector,
// in a process of its own: messages go in and out by lines. It outlives its server, whose death is
// the end of its input: node dies where a client vanishes to which it is just writing (seen with 20),
// so that what is answered still is heard, leave is taken, and only then it hangs up.
const holdCommand = "hold-node"

// holdLimit is how long a connection may take to end.
const holdLimit = 6 * time.Second

// farewellRequest is the number of our first request: an evaluation.
const farewellRequest = 1 << 30

func init() {
	if len(os.Args) != 4 || os.Args[1] != holdCommand {
		return
	}
	if err := hold(os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// holder is one at work.
type holder struct {
	node    *socket
	over    chan struct{} // closed when node has hung up
	asked   unanswered
	isAlone atomic.Bool // nobody listens any more
}

func hold(url, farewell string) error {
	signal.Ignore(syscall.SIGPIPE) // or what node says to a server that has gone would end it here
	node, err := dial(url)
	if err != nil {
		return err
	}
	h := &holder{node: node, over: make(chan struct{})}
	go h.hear()
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		if h.say(bytes.TrimSuffix(line, []byte("\n"))) != nil {
			break
		}
	}
	h.isAlone.Store(true)
	h.wait()
	silence := make([]message, len(silenced))
	for i, method := range silenced {
		silence[i] = message{ID: farewellRequest + 1 + i, Method: method}
	}
	// A node that stands still answers nothing, and writes nothing.
	if h.ask(message{ID: farewellRequest, Method: "Runtime.evaluate", Params: evaluation{Expression: farewell, Await: true, Silent: true}}) {
		h.ask(silence...)
	}
	node.close()
	select {
	case <-h.over:
	case <-time.After(time.Second):
	}
	return nil
}

type evaluation struct {
	Expression string `json:"expression"`
	Await      bool   `json:"awaitPromise"`
	Silent     bool   `json:"silent"`
}

// say passes on a request.
func (h *holder) say(text []byte) error {
	var m struct {
		ID int `json:"id"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	h.asked.add(m.ID)
	return h.node.send(text)
}

// ask says requests of our own, and waits until they are answered.
func (h *holder) ask(requests ...message) (isAnswered bool) {
	for _, m := range requests {
		if text, err := json.Marshal(m); err != nil || h.say(text) != nil {
			return false
		}
	}
	return h.wait()
}

// wait waits until all requests are answered.
func (h *holder) wait() (isAnswered bool) { return h.asked.wait(h.over, time.After(2*time.Second)) }

// hear passes on what node says, and goes on hearing it when nobody listens.
func (h *holder) hear() {
	defer close(h.over)
	for {
		text, err := h.node.receive()
		if err != nil {
			_ = os.Stdout.Close() // which tells that it has gone
			return
		}
		h.asked.answer(idOf(text))
		if h.isAlone.Load() {
			continue
		}
		_, _ = os.Stdout.Write(append(text, '\n')) // the end of the input tells that nobody reads
	}
}
