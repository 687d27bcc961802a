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
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
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
type request struct{ dap.Request }

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

// failure is the body of a response that refuses.
type failure struct {
	Error godap.ErrorMessage `json:"error"`
}

// writeLimit is how long an editor may take to read a message; then it is let go.
const writeLimit = 10 * time.Second

// out is what is said to an editor.
type out struct{ *dap.Server }

// patient is an editor's connection. One that does not take what it is sent is let go.
type patient struct{ net.Conn }

func (c patient) Write(message []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(message)
	if err != nil {
		_ = c.Close()
	}
	return n, err
}

func (o *out) respond(r request, body any, refused error) error {
	if refused == nil {
		return o.Reply(r.Request, body)
	}
	said := sayError(refused)
	return o.Refuse(r.Request, said, failure{godap.ErrorMessage{Id: 1, Format: escapeFormat(said), ShowUser: true}})
}

// escapeFormat takes from braces their meaning in a message's format.
func escapeFormat(text string) string {
	return strings.NewReplacer("{", "(", "}", ")").Replace(text)
}
