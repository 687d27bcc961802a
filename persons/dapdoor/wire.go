package dapdoor

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	godap "github.com/google/go-dap"
)

// Bounds of what an editor sends.
const (
	longestHeader   = 1 << 10
	longestMessage  = 4 << 20  // of who has joined
	longestGreeting = 64 << 10 // of who has not
)

var errProtocol = errors.New("this is not the Debug Adapter Protocol")

// readMessage reads the body of one message of at most so many bytes.
func readMessage(r *bufio.Reader, most int) ([]byte, error) {
	length, read := -1, 0
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			if errors.Is(err, bufio.ErrBufferFull) {
				return nil, errProtocol
			}
			return nil, err
		}
		if read += len(line); read > longestHeader {
			return nil, errProtocol
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, _ := strings.Cut(text, ":")
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > most {
			return nil, fmt.Errorf("%w: a message of %s bytes, at most %d are taken", errProtocol, strings.TrimSpace(value), most)
		}
	}
	if length < 0 {
		return nil, fmt.Errorf("%w: a message without its length", errProtocol)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r, body)
	return body, err
}

// request is a request as it comes.
type request struct {
	Seq       int             `json:"seq"`
	Type      string          `json:"type"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

// decode reads the arguments.
func (r request) decode(into any) error {
	if len(r.Arguments) == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Arguments, into); err != nil {
		return fmt.Errorf("the arguments of %s cannot be read: %w", r.Command, err)
	}
	return nil
}

// response is a response of ours.
type response struct {
	Seq        int    `json:"seq"`
	Type       string `json:"type"`
	RequestSeq int    `json:"request_seq"`
	Success    bool   `json:"success"`
	Command    string `json:"command"`
	Message    string `json:"message,omitempty"`
	Body       any    `json:"body,omitempty"`
}

// failure is the body of a response that refuses.
type failure struct {
	Error godap.ErrorMessage `json:"error"`
}

// event is an event of ours.
type event struct {
	Seq   int    `json:"seq"`
	Type  string `json:"type"`
	Event string `json:"event"`
	Body  any    `json:"body,omitempty"`
}

// writeLimit is how long an editor may take to read a message; then it is let go.
const writeLimit = 10 * time.Second

// out writes messages, each with its number. Any goroutine may write.
type out struct {
	conn net.Conn
	mu   sync.Mutex
	seq  int
}

func (o *out) write(make func(seq int) any) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seq++
	text, err := json.Marshal(make(o.seq))
	if err != nil {
		return fmt.Errorf("write a message: %w", err)
	}
	if err := o.conn.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return err
	}
	if err := godap.WriteBaseMessage(o.conn, text); err != nil {
		_ = o.conn.Close()
		return err
	}
	return nil
}

func (o *out) event(name string, body any) error {
	return o.write(func(seq int) any { return event{seq, "event", name, body} })
}

func (o *out) respond(r request, body any, refused error) error {
	return o.write(func(seq int) any {
		if refused == nil {
			return response{Seq: seq, Type: "response", RequestSeq: r.Seq, Success: true, Command: r.Command, Body: body}
		}
		said := sayError(refused)
		return response{
			Seq: seq, Type: "response", RequestSeq: r.Seq, Command: r.Command, Message: said,
			Body: failure{godap.ErrorMessage{Id: 1, Format: escapeFormat(said), ShowUser: true}},
		}
	})
}

// escapeFormat takes from braces their meaning in a message's format.
func escapeFormat(text string) string {
	return strings.NewReplacer("{", "(", "}", ")").Replace(text)
}
