package inspector

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// A debugger that hangs up leaves node's workers as they are: standing, and with its
// breakpoints in them, which nobody else can take out. Node frees its main thread only.
// So whoever stands between the two keeps account of the workers that the debugger has
// come to, and takes leave of each when the debugger does not.

// farewellLimit is how long node may take to answer that all workers are free.
const farewellLimit = time.Second

// farewellID is where the numbers of our own requests begin, far from a debugger's.
const farewellID = 1 << 30

// goodbye is what is said to each worker: it resumes, and all breakpoints go.
const goodbye = `{"id":%d,"method":"Debugger.disable"}`

// leave is the account of one connection between a debugger and node.
type leave struct {
	node *socket

	mu      sync.Mutex
	workers map[string]bool // by the debugger's session with them
	open    int             // of our goodbyes, those that are not answered
	heard   chan struct{}   // closed when all are
	begun   bool
}

func newLeave(node *socket) *leave {
	return &leave{node: node, workers: map[string]bool{}, heard: make(chan struct{})}
}

// Write passes on what the debugger says, as long as leave has not been taken: it must
// not come back to a worker that is free.
func (l *leave) Write(b []byte) (int, error) {
	l.node.mu.Lock()
	defer l.node.mu.Unlock()
	l.mu.Lock()
	over := l.begun
	l.mu.Unlock()
	if over {
		return len(b), nil
	}
	return l.node.conn.Write(b)
}

// take says goodbye to all workers, once, and waits until they have heard it.
func (l *leave) take() {
	l.mu.Lock()
	if l.begun {
		l.mu.Unlock()
		return
	}
	l.begun = true
	var list []string
	for session := range l.workers {
		list = append(list, session)
	}
	l.open = len(list)
	l.mu.Unlock()
	for i, session := range list {
		text, err := json.Marshal(message{ID: farewellID + i, Method: "NodeWorker.sendMessageToWorker",
			Params: toWorker{session, fmt.Sprintf(goodbye, farewellID+i)}})
		if err != nil || l.node.send(text) != nil {
			return
		}
	}
	if len(list) == 0 {
		return
	}
	limit := time.NewTimer(farewellLimit)
	defer limit.Stop()
	select {
	case <-l.heard:
	case <-limit.C:
	}
}

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
		delete(l.workers, said.Params.Session)
	case "NodeWorker.receivedMessageFromWorker":
		var answer struct {
			ID int `json:"id"`
		}
		if !l.begun || json.Unmarshal([]byte(said.Params.Message), &answer) != nil || answer.ID < farewellID {
			return false
		}
		if l.open--; l.open == 0 {
			close(l.heard)
		}
		return true
	}
	return said.ID >= farewellID
}

// leaves are requests of a debugger after which it cannot reach the workers any more.
var leaves = [][]byte{[]byte(`"NodeWorker.disable"`), []byte(`"NodeWorker.detach"`)}

// examined is the longest message that may be one of those which matter here.
const examined = 64 << 10

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
		_, err = io.CopyN(struct{ io.Writer }{to}, from, int64(length))
		return err
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
