package dapdoor

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
)

// Bridge joins standard input and output with the door of a session of this user, for
// editors that start a debug adapter as a command: it knows the token. An empty id means
// the only session, where there is but one.
func Bridge(ctx context.Context, dir, id string, in io.Reader, out io.Writer) error {
	n, err := findNote(dir, id)
	if err != nil {
		return err
	}
	conn, err := n.dial(ctx)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	defer conn.Close()
	// It owns the way to the server, and ends with the editor's input, or with the process.
	go func() {
		defer conn.(interface{ CloseWrite() error }).CloseWrite() //nolint:errcheck // it may be gone already; TCP and sockets both have it
		pass(bufio.NewReader(in), conn, n.Token)
	}()
	if _, err := io.Copy(out, conn); err != nil && ctx.Err() == nil {
		return fmt.Errorf("read what %s tells: %w", n.Session, err)
	}
	return nil
}

// pass passes an editor's messages on, the token added to the one that attaches.
func pass(in *bufio.Reader, to io.Writer, token string) {
	for {
		body, err := readMessage(in, longestMessage)
		if err != nil {
			return
		}
		if err := godap.WriteBaseMessage(to, withToken(body, token)); err != nil {
			return
		}
	}
}

// withToken is a message with the token, if it is an attach; else as it is.
func withToken(body []byte, token string) []byte {
	var message map[string]json.RawMessage
	if json.Unmarshal(body, &message) != nil {
		return body
	}
	if command := string(message["command"]); command != `"attach"` && command != `"launch"` {
		return body
	}
	args := map[string]json.RawMessage{}
	if raw := message["arguments"]; raw != nil && json.Unmarshal(raw, &args) != nil {
		return body
	}
	args["aidbToken"], _ = json.Marshal(token)
	message["arguments"], _ = json.Marshal(args)
	with, err := json.Marshal(message)
	if err != nil {
		return body
	}
	return with
}

// findNote finds the session to join among those that were opened.
func findNote(dir, id string) (note, error) {
	all := readNotes(dir)
	var ids []string
	for _, n := range all {
		if n.Session == id {
			return n, nil
		}
		ids = append(ids, fmt.Sprintf("%s (%s)", n.Session, n.Target))
	}
	switch {
	case len(all) == 0:
		return note{}, fault.New(fault.SessionNotFound, "no session of yours is open to be joined: have the agent call session(action: show)")
	case id == "" && len(all) == 1:
		return all[0], nil
	case id == "":
		return note{}, fault.New(fault.MissingParam, "say which with --session: %s", strings.Join(ids, ", "))
	}
	return note{}, fault.New(fault.SessionNotFound, "no session %s is open to be joined; there are %s", id, strings.Join(ids, ", "))
}
