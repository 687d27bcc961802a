package dapdoor

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strconv"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
)

// The formats of a report.
const (
	FormatHTML     = "html"
	FormatMarkdown = "markdown"
)

// reportRequest asks for a report. Who asks need not have joined, but knows the token.
const reportRequest = "aidb/report"

type reportArguments struct {
	Token  string `json:"aidbToken"`
	Format string `json:"format"`
}

type reportBody struct {
	Text string `json:"text"`
}

// report answers one who asks for a report.
func (c *client) report(r request) (any, error) {
	var args reportArguments
	if err := r.decode(&args); err != nil {
		return nil, err
	}
	s := c.door.sessionOf(args.Token)
	if s == nil {
		return nil, errNoSuchToken()
	}
	if c.door.Report == nil {
		return nil, fault.New(fault.NotSupported, "this server writes no reports")
	}
	text, err := c.door.Report(c.ctx, s, args.Format)
	return reportBody{text}, err
}

func errNoSuchToken() error {
	return fault.New(fault.PolicyDenied, "the token (aidbToken) opens no session of this server").
		WithHint("have the agent call session(show), which gives the configuration")
}

// longestReport is how much of a report is read, in bytes of its message.
const longestReport = 256 << 20

// Report asks a server of this user for the report of a session that is open to be joined;
// an empty id means the only one.
func Report(ctx context.Context, dir, id, format string) (string, error) {
	n, err := findNote(dir, id)
	if err != nil {
		return "", err
	}
	conn, err := n.dial(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	args, err := json.Marshal(reportArguments{n.Token, format})
	if err == nil {
		args, err = json.Marshal(dap.Request{Seq: 1, Type: "request", Command: reportRequest, Arguments: args})
	}
	if err == nil {
		err = godap.WriteBaseMessage(conn, args)
	}
	if err != nil {
		return "", fmt.Errorf("ask for the report of %s: %w", n.Session, err)
	}
	body, err := readMessage(bufio.NewReader(conn), longestReport)
	if err != nil {
		return "", fmt.Errorf("read the report of %s: %w", n.Session, err)
	}
	var answer struct {
		Success bool       `json:"success"`
		Message string     `json:"message"`
		Body    reportBody `json:"body"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", fmt.Errorf("read the report of %s: %w", n.Session, err)
	}
	if !answer.Success {
		return "", fault.New(fault.InvalidParam, "%s", answer.Message)
	}
	return answer.Body.Text, nil
}

// dial connects to the door that a note tells of.
func (n note) dial(ctx context.Context) (net.Conn, error) {
	var dialer net.Dialer
	kind, address := "tcp", net.JoinHostPort(n.Host, strconv.Itoa(n.Port))
	if n.Socket != "" {
		kind, address = "unix", n.Socket
	}
	conn, err := dialer.DialContext(ctx, kind, address)
	if err != nil {
		return nil, fmt.Errorf("join %s: %w", n.Session, err)
	}
	return conn, nil
}
