package inside

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"aidb-mcp/internal/recording/live"
)

// How long a program may take to answer, and to take out what records.
const (
	answerLimit = 20 * time.Second
	leaveLimit  = 5 * time.Second
)

// longest is the longest message that is taken from a program.
const longest = 8 << 20

// Order is what is asked of what records: the fields of live.Spec, and where it tells. The
// names are the recorder's.
type Order struct {
	Address     string   `json:"address"`
	Token       string   `json:"token"`
	Written     string   `json:"written"`
	File        string   `json:"file"`
	Line        int      `json:"line"`
	Expressions []string `json:"expressions"`
	Functions   []string `json:"functions"`
	Condition   string   `json:"condition"`
	Most        int      `json:"most"`
}

// Armed is what a program answers.
type Armed struct {
	PID        int      `json:"pid"`
	Places     int      `json:"places"`
	Notes      []string `json:"notes"`
	Version    []int    `json:"version"`
	Monitoring bool     `json:"monitoring"`
	Cost       int64    `json:"cost"` // nanoseconds of a hit
	Error      string   `json:"error"`
	Refused    bool     `json:"refused"` // it is what was asked that cannot be done
}

// RefusedError is a refusal of the recorder's, in its words.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return e.Why }

// Link is a recorder in a program. It is safe for concurrent use.
//
// One goroutine reads what the program tells, until that has gone or Close.
type Link struct {
	Rows
	conn net.Conn
	in   *bufio.Reader
	over chan struct{} // closed when the program tells nothing more
	once sync.Once
	left atomic.Bool // Close has begun
}

// listen is at a socket that no file leads to where that can be: programs of other users and in
// other file systems reach it too. Only who knows the token is listened to.
func listen(dir string) (net.Listener, string, error) {
	if runtime.GOOS == "linux" {
		name := "aidb-" + rand.Text()
		l, err := net.Listen("unix", "@"+name)
		return l, "\x00" + name, err
	}
	name := filepath.Join(dir, "live-"+rand.Text()[:10])
	l, err := net.Listen("unix", name)
	return l, name, err
}

// Arm waits for what Enter puts into the program to answer. Dir is a private directory.
func Arm(ctx context.Context, dir string, w live.Spec, enter func(context.Context, Order) error) (*Link, Armed, error) {
	listener, address, err := listen(dir)
	if err != nil {
		return nil, Armed{}, fmt.Errorf("listening for the program: %w", err)
	}
	defer listener.Close()
	o := Order{
		Address: address, Token: rand.Text(), Written: w.Written, File: w.File, Line: w.Line,
		Expressions: w.Expressions, Functions: w.Functions, Condition: w.Condition, Most: w.Most,
	}
	ctx, cancel := context.WithTimeoutCause(ctx, answerLimit, fmt.Errorf("the program did not answer within %s: it may be stopped, or busy in code that lets no other thread run", answerLimit))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	if err := enter(ctx, o); err != nil {
		return nil, Armed{}, err
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return nil, Armed{}, err
		}
		if isStranger(conn) {
			_ = conn.Close()
			continue
		}
		l := &Link{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), over: make(chan struct{})}
		armed, known, err := l.greet(ctx, o.Token)
		if !known {
			_ = conn.Close() // a stranger
			continue
		}
		if err != nil {
			_ = conn.Close()
			return nil, Armed{}, err
		}
		l.Add(nil, func(s *live.State) { s.Running, s.Places, s.Notes = true, armed.Places, armed.Notes })
		go l.hear(armed.Notes)
		return l, armed, nil
	}
}

// greet hears who has come, and whether it has armed what was asked.
func (l *Link) greet(ctx context.Context, token string) (a Armed, known bool, err error) {
	end, _ := ctx.Deadline()
	_ = l.conn.SetDeadline(end)
	stop := context.AfterFunc(ctx, func() { _ = l.conn.SetDeadline(time.Now()) })
	defer stop()
	var hello struct {
		Token string `json:"token"`
		Armed
	}
	if err := l.take(&hello); err != nil || hello.Token != token {
		return a, false, err
	}
	a = hello.Armed
	if a.Error == "" {
		if err := l.take(&a); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return a, true, fmt.Errorf("the program has gone before it had armed anything: %w", err)
		}
	}
	switch {
	case a.Refused:
		return a, true, &RefusedError{a.Error}
	case a.Error != "":
		return a, true, fmt.Errorf("what records failed in the program: %s", a.Error)
	}
	return a, true, l.conn.SetDeadline(time.Time{})
}

var errTooLong = errors.New("the program tells too much at once")

// take reads one message.
func (l *Link) take(into any) error {
	line, err := l.line()
	if err != nil {
		return err
	}
	return json.Unmarshal(line, into)
}

func (l *Link) line() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...)
		if err == nil || !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > longest {
			return nil, errTooLong
		}
	}
}

// hear takes what the program tells.
func (l *Link) hear(notes []string) {
	defer close(l.over)
	ended := false
	for !ended {
		line, err := l.line()
		if err != nil {
			break
		}
		m, err := Read(line)
		if err != nil {
			break
		}
		ended = m.End
		m.Notes = append(append([]string{}, notes...), m.Notes...)
		l.Add(m.Rows, m.Into)
	}
	l.Add(nil, func(s *live.State) { s.Running = ended || l.left.Load() })
}

// Close takes the recorder out of the program, and gives the state at the end.
func (l *Link) Close() live.State {
	l.once.Do(func() {
		select {
		case <-l.over: // it has gone before
			_ = l.conn.Close()
			return
		default:
		}
		l.left.Store(true)
		_, _ = l.conn.Write([]byte("\n")) // the word by which it ends; where the program has gone, hear says so
		limit := time.NewTimer(leaveLimit)
		defer limit.Stop()
		select {
		case <-l.over:
		case <-limit.C:
			l.Add(nil, func(s *live.State) {
				s.Notes = append(s.Notes, "the program did not answer in time: it is taken out as soon as another thread of it runs")
			})
		}
		_ = l.conn.Close()
		<-l.over
	})
	_, state := l.Read(0)
	return state
}
