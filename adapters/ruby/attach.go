package ruby

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
)

// planAttach is for a program that runs already, whose rdbg listens at a port or a socket.
func (j *job) planAttach() (*adapters.Plan, error) {
	network, address := "tcp", net.JoinHostPort(cmp.Or(j.Host, "127.0.0.1"), strconv.Itoa(j.Port))
	switch {
	case j.options.Socket != "":
		network, address = "unix", prepare.Locate(j.Request, j.options.Socket)
	case j.Port == 0:
		return nil, fault.New(fault.MissingParam, "port is missing: where does the program's rdbg listen?").WithField("port").
			WithHint(`start the program with "rdbg --open --port 12345 -- app.rb" and give {"mode":"remote_attach","port":12345}; of a socket: adapter_options {"socket":"/path"}`)
	}
	d := newDialect()
	return &adapters.Plan{
		Mode: j.Mode, Target: address, Modules: prepare.Roots(j.Request), Request: "attach", Arguments: struct{}{}, Detach: true,
		Open: func(ctx context.Context) (*adapters.Peer, error) {
			conn := j.Debuggee.Line.Take()
			begun := conn != nil
			if !begun {
				var err error
				if conn, err = new(net.Dialer).DialContext(ctx, network, address); err != nil {
					return nil, fault.New(fault.SessionStart, "nothing that can be joined listens at %s: %w", address, err).WithField("port").
						WithHint(`start the program with "rdbg --open --port 12345 -- app.rb" first, and give the host and port that it prints`)
				}
			}
			joined, err := join(ctx, conn, begun)
			if err != nil {
				conn.Close()
				return nil, fault.New(fault.SessionStart, "what listens at %s cannot be debugged as Ruby: %w", address, err).WithField("port").
					WithHint("is it a program under rdbg 1.4 or newer, to which no other debugger is attached?")
			}
			return peer.On(joined), nil
		},
		Dialect: d, Capabilities: d.Capabilities(), Close: func() {},
	}, nil
}

// joinLimit is how long a program may take to stand still, and to load our server.
const joinLimit = 15 * time.Second

// join puts our server in place of the one of rdbg that answers at a connection, unless it is
// there already: rdbg has the program stand still and evaluate it. The program stands then,
// and the connection is as new.
func join(ctx context.Context, conn net.Conn, begun bool) (net.Conn, error) {
	if err := conn.SetDeadline(time.Now().Add(joinLimit)); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })
	defer stop()
	t := &talk{conn: conn, reader: bufio.NewReader(conn)}
	if !begun {
		hello := godap.InitializeRequestArguments{ClientID: "aidb", AdapterID: "rdbg", LinesStartAt1: true, ColumnsStartAt1: true, PathFormat: "path"}
		if err := t.ask("initialize", hello, nil); err != nil {
			return nil, err
		}
	}
	if err := t.load(); err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return nil, err
	}
	return joinedConn{conn, t.reader}, nil
}

// joinedConn is a connection of which more may have been read than was answered.
type joinedConn struct {
	net.Conn
	rest io.Reader
}

func (c joinedConn) Read(p []byte) (int, error) { return c.rest.Read(p) }

// talk speaks to rdbg's own server, one request after the other.
type talk struct {
	conn   net.Conn
	reader *bufio.Reader
	seq    int
	stands bool // it has told of a stop
}

type threadsBody struct {
	Threads []godap.Thread `json:"threads"`
	AIDB    bool           `json:"aidb"` // it is our server that answers
}

// load has the program load our server.
func (t *talk) load() error {
	var threads threadsBody
	if err := t.ask("threads", nil, &threads); err != nil || threads.AIDB {
		return err
	}
	if err := t.ask("attach", struct {
		Local bool `json:"localfs"`
	}{true}, nil); err != nil {
		return err
	}
	if err := t.ask("configurationDone", nil, nil); err != nil {
		return err
	}
	if !t.stands { // rdbg 1.8 and newer let the program run where a client of DAP comes
		if err := t.ask("pause", godap.PauseArguments{ThreadId: 1}, nil); err != nil {
			return err
		}
	}
	code, err := whole()
	if err != nil {
		return err
	}
	frame, err := t.standing()
	if err != nil {
		return err
	}
	var result godap.EvaluateResponseBody
	if err := t.ask("evaluate", godap.EvaluateArguments{Expression: code, FrameId: frame, Context: "repl"}, &result); err != nil {
		return err
	}
	if result.Result != "nil" {
		return fmt.Errorf("its debugger could not be prepared: %s", result.Result)
	}
	return t.ask("threads", nil, nil) // the last that rdbg's own server reads
}

// standing is a frame of the thread that stands still. rdbg says of the first stop that it was
// in thread 1, whichever it was.
func (t *talk) standing() (frame int, err error) {
	for end := time.Now().Add(joinLimit); time.Now().Before(end); {
		var threads threadsBody
		if err := t.ask("threads", nil, &threads); err != nil {
			return 0, err
		}
		for _, thread := range threads.Threads {
			var stack godap.StackTraceResponseBody
			if err := t.ask("stackTrace", godap.StackTraceArguments{ThreadId: thread.Id}, &stack); err != nil {
				continue
			}
			if at := slices.IndexFunc(stack.StackFrames, func(f godap.StackFrame) bool {
				return !strings.HasPrefix(f.Name, "[C] ")
			}); at >= 0 {
				return stack.StackFrames[at].Id, nil
			}
		}
	}
	return 0, fmt.Errorf("no thread of it stands still")
}

type answer struct {
	Type    string          `json:"type"`
	Event   string          `json:"event"`
	Request int             `json:"request_seq"`
	Success bool            `json:"success"`
	Message string          `json:"message"`
	Body    json.RawMessage `json:"body"`
}

// ask sends a request and reads up to its answer.
func (t *talk) ask(command string, arguments, body any) error {
	t.seq++
	text, err := json.Marshal(struct {
		Seq       int    `json:"seq"`
		Type      string `json:"type"`
		Command   string `json:"command"`
		Arguments any    `json:"arguments,omitempty"`
	}{t.seq, "request", command, arguments})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(t.conn, "Content-Length: %d\r\n\r\n%s", len(text), text); err != nil {
		return fmt.Errorf("sending %s: %w", command, err)
	}
	for {
		text, err := dap.ReadBody(t.reader)
		if err != nil {
			return fmt.Errorf("waiting for the answer to %s: %w", command, err)
		}
		var a answer
		switch err := json.Unmarshal(text, &a); {
		case err != nil:
			return fmt.Errorf("reading the answer to %s: %w", command, err)
		case a.Type != "response" || a.Request != t.seq:
			t.stands = t.stands || a.Event == "stopped"
			continue
		case !a.Success:
			return fmt.Errorf("%s was refused: %s", command, a.Message)
		case body == nil || len(a.Body) == 0:
			return nil
		}
		return json.Unmarshal(a.Body, body)
	}
}
