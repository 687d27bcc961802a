package inspector

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// A debugger that hangs up leaves node's workers as they are: standing, and with its
// breakpoints in them, which nobody else can take out. Node frees its main thread only.
// So whoever stands between the two keeps account of the workers that the debugger has
// come to, and takes leave of each when the debugger does not. Node dies where it is hung
// up on while it writes (seen with 20): last it is made silent.

// farewellLimit is how long node may take to answer that all workers are free and that it
// is silent.
const farewellLimit = time.Second

// farewellID is where the numbers of our own requests begin, far from a debugger's.
const farewellID = 1 << 30

// freed is what is said to each worker: it resumes, and all breakpoints go.
const freed = `{"id":%d,"method":"Debugger.disable"}`

// leave is the account of one connection between a debugger and node.
type leave struct {
	node *socket

	goodbyes unanswered
	taken    chan struct{} // closed when leave was taken
	gone     chan struct{} // closed by who hears node when it has hung up

	mu          sync.Mutex
	workers     map[string]bool // by the debugger's session with them
	last        int             // number of a request of ours
	isOver      bool            // the debugger is not heard any more
	isAddressed bool            // the debugger has said something, and all of it: node can be spoken to
}

func newLeave(node *socket) *leave {
	return &leave{node: node, workers: map[string]bool{}, last: farewellID, taken: make(chan struct{}), gone: make(chan struct{})}
}

// Write passes on what the debugger says, as long as it is not over: it must not come
// back to a worker that is free.
func (l *leave) Write(b []byte) (int, error) {
	l.node.mu.Lock()
	defer l.node.mu.Unlock()
	l.mu.Lock()
	isOver := l.isOver
	l.mu.Unlock()
	if isOver {
		return len(b), nil
	}
	return l.node.conn.Write(b)
}

// silenced are what node could tell of without being asked.
var silenced = []string{"NodeWorker.disable", "Debugger.disable", "Runtime.disable", "Profiler.disable", "HeapProfiler.disable", "Network.disable"}

// take says goodbye to all workers and to the main thread, for good, and waits until they
// have heard it.
func (l *leave) take() {
	l.mu.Lock()
	if l.isOver {
		l.mu.Unlock()
		<-l.taken
		return
	}
	l.isOver = true
	isAddressed := l.isAddressed
	l.mu.Unlock()
	defer close(l.taken)
	if !isAddressed {
		return
	}
	limit := time.After(farewellLimit)
	l.goodbye("")
	l.goodbyes.wait(l.gone, limit)
	for _, method := range silenced {
		id := l.number()
		l.goodbyes.add(id)
		if l.node.send(fmt.Appendf(nil, `{"id":%d,"method":"%s"}`, id, method)) != nil {
			return // it has gone
		}
	}
	l.goodbyes.wait(l.gone, limit)
}

// goodbye is said to a worker, or to all.
func (l *leave) goodbye(only string) {
	l.mu.Lock()
	workers := slices.Collect(maps.Keys(l.workers))
	l.mu.Unlock()
	for _, session := range workers {
		if only != "" && session != only {
			continue
		}
		id := l.number()
		l.goodbyes.add(id) // which the worker answers, not who brings it
		text, err := json.Marshal(message{ID: l.number(), Method: "NodeWorker.sendMessageToWorker", Params: toWorker{session, fmt.Sprintf(freed, id)}})
		if err != nil || l.node.send(text) != nil {
			return // it has gone
		}
	}
}

// address says whether node can be spoken to: nothing can be said after a frame that was cut off.
func (l *leave) address(isAddressed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isAddressed = isAddressed
}

// number is that of our next request.
func (l *leave) number() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	return l.last
}

// follow looks at what the debugger says: it may be about to lose a worker.
func (l *leave) follow(kind byte, text []byte) {
	l.address(true)
	switch {
	case kind == frameClose, bytes.Contains(text, disableWord):
		l.goodbye("")
	case bytes.Contains(text, detachWord):
		var said struct {
			Params toWorker `json:"params"`
		}
		if json.Unmarshal(text, &said) == nil && said.Params.Session != "" {
			l.goodbye(said.Params.Session)
		}
	}
}

// Requests of a debugger after which it cannot reach workers any more.
var (
	disableWord = []byte(`"NodeWorker.disable"`)
	detachWord  = []byte(`"NodeWorker.detach"`)
)

// toWorker is what is said to a worker, and what it says.
type toWorker struct {
	Session string `json:"sessionId"`
	Message string `json:"message"`
}

// What node says of its workers.
var (
	workerWord = []byte(`"NodeWorker.`)
	idWord     = []byte(fmt.Sprint(farewellID)[:6]) // with which all numbers of ours begin
)

// hear takes note of what node says; ours says that it is not for the debugger.
func (l *leave) hear(text []byte) (ours bool) {
	isAnswer := bytes.Contains(text, idWord)
	if !isAnswer && !bytes.Contains(text, workerWord) {
		return false
	}
	var said struct {
		ID     int      `json:"id"`
		Method string   `json:"method"`
		Params toWorker `json:"params"`
	}
	if json.Unmarshal(text, &said) != nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch said.Method {
	case "NodeWorker.attachedToWorker":
		l.workers[said.Params.Session] = true
	case "NodeWorker.detachedFromWorker":
		delete(l.workers, said.Params.Session) // whose answers may be lost
	case "NodeWorker.receivedMessageFromWorker":
		var answer struct {
			ID int `json:"id"`
		}
		return json.Unmarshal([]byte(said.Params.Message), &answer) == nil && l.goodbyes.answer(answer.ID)
	}
	l.goodbyes.answer(said.ID)
	return said.ID > farewellID
}

// examined is the longest message that may be one of those which matter here.
const examined = 64 << 10

// errCut says that a frame was passed on in part.
var errCut = errors.New("a frame was cut off")

// frames passes on what comes in frames of a web socket, after its handshake. Each is
// shown before it goes on, without its mask; those that are too long are shown empty.
func frames(to io.Writer, from *bufio.Reader, show func(kind byte, text []byte) (ours bool)) error {
	isSocket, err := handshake(to, from)
	if err != nil {
		return err
	}
	if !isSocket {
		copyAll(to, from)
		return nil
	}
	for {
		if err := frame(to, from, show); err != nil {
			return err
		}
	}
}

// handshake passes on the head of a request or an answer, which says whether frames follow.
func handshake(to io.Writer, from *bufio.Reader) (isSocket bool, err error) {
	for {
		line, err := from.ReadSlice('\n')
		if len(line) > 0 {
			if _, err := to.Write(line); err != nil {
				return false, err
			}
		}
		switch word := bytes.ToLower(bytes.TrimSpace(line)); {
		case errors.Is(err, bufio.ErrBufferFull):
			return false, nil // whatever it is
		case err != nil:
			return false, err
		case len(word) == 0:
			return isSocket, nil
		case bytes.HasPrefix(word, []byte("upgrade:")):
			isSocket = bytes.Contains(word, []byte("websocket"))
		}
	}
}

// frame passes on one.
func frame(to io.Writer, from *bufio.Reader, show func(kind byte, text []byte) (ours bool)) error {
	head, length, err := frameHead(from)
	if err != nil {
		return err
	}
	kind := head[0] & 0xf
	if length > examined {
		if show(kind, nil) {
			return nil
		}
		if _, err := to.Write(head); err != nil {
			return err
		}
		if _, err = io.CopyN(struct{ io.Writer }{to}, from, int64(length)); err != nil {
			return errCut
		}
		return nil
	}
	whole := append(head, make([]byte, length)...)
	if _, err := io.ReadFull(from, whole[len(head):]); err != nil {
		return err
	}
	text := whole[len(head):]
	if isMasked := head[1]&0x80 != 0; isMasked {
		text = bytes.Clone(text)
		for i := range text {
			text[i] ^= head[len(head)-4+i%4]
		}
	}
	if show(kind, text) {
		return nil
	}
	_, err = to.Write(whole)
	return err
}

// frameHead reads the beginning of a frame, with its mask if it has one.
func frameHead(from io.Reader) (head []byte, length uint64, err error) {
	head = make([]byte, 2, 14)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, 0, err
	}
	more := 0
	length = uint64(head[1] & 0x7f)
	switch length {
	case 126:
		more = 2
	case 127:
		more = 8
	}
	if head[1]&0x80 != 0 {
		more += 4
	}
	head = head[:2+more]
	if _, err := io.ReadFull(from, head[2:]); err != nil {
		return nil, 0, err
	}
	switch length {
	case 126:
		length = uint64(binary.BigEndian.Uint16(head[2:]))
	case 127:
		length = binary.BigEndian.Uint64(head[2:])
	}
	return head, length, nil
}
