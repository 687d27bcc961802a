//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"bufio"
	"encoding/json"
	"net"
	"sync"

	"github.com/go-delve/delve/service"
	"github.com/go-delve/delve/service/dap"
	"github.com/go-delve/delve/service/debugger"
	godap "github.com/google/go-dap"
)

// inner is Delve's DAP session with our end of its connection.
type inner struct {
	session *dap.Session
	stop    chan struct{} // closed before the session is, so that it does not complain
	conn    net.Conn
	reading sync.Mutex // guards reader: close listens where pump does no more
	reader  *bufio.Reader
	writing sync.Mutex
}

// newInner starts a session; without a debugger it can do no more than answer initialize.
func newInner(config *service.Config, dbg *debugger.Debugger) *inner {
	ours, theirs := net.Pipe()
	i := &inner{stop: make(chan struct{}), conn: ours, reader: bufio.NewReader(ours)}
	i.session = dap.NewSession(theirs, &dap.Config{Config: config, StopTriggered: i.stop}, dbg)
	go i.session.ServeDAPCodec()
	return i
}

func (i *inner) read() ([]byte, error) {
	i.reading.Lock()
	defer i.reading.Unlock()
	return godap.ReadBaseMessage(i.reader)
}

// write passes a request on. An error means that the session has ended, which pump notices.
func (i *inner) write(frame []byte) {
	i.writing.Lock()
	defer i.writing.Unlock()
	_ = godap.WriteBaseMessage(i.conn, frame)
}

// exchange sends the request with this seq and reads up to its reply; what
// comes before goes to other. Only for use before pump runs.
func (i *inner) exchange(seq int, frame []byte, other func([]byte)) (reply []byte, err error) {
	i.write(frame)
	for {
		message, err := i.read()
		if err != nil {
			return nil, err
		}
		if h := peek(message); h.Type == "response" && h.RequestSeq == seq {
			return message, nil
		}
		other(message)
	}
}

// close ends the session: a launched program is killed, an attached one let go.
func (i *inner) close() {
	close(i.stop)
	// The session says good-bye, and net.Pipe has no buffer: somebody must listen.
	go func() {
		for {
			if _, err := i.read(); err != nil {
				return
			}
		}
	}()
	i.session.Close()
	i.conn.Close()
}

// header is what tells messages of the session apart.
type header struct {
	Type       string `json:"type"`
	RequestSeq int    `json:"request_seq"`
	Event      string `json:"event"`
}

func peek(frame []byte) header {
	var h header
	_ = json.Unmarshal(frame, &h) // Delve's own words are JSON
	return h
}
