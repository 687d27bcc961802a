package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/commands/bench/debuggee"
)

// server is the measured server as a child. It is spoken to in plain lines, so
// that no client library's time is counted, and bytes are those of the wire.
type server struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	id     int
}

// startServer returns once the server has answered initialize; args are those of
// the command line, by default "serve".
func startServer(ctx context.Context, binary, dir string, args ...string) (*server, error) {
	if len(args) == 0 {
		args = []string{"serve"}
	}
	s := &server{cmd: exec.CommandContext(ctx, binary, args...)}
	s.cmd.Dir = dir
	s.cmd.Env = serverEnviron(dir)
	s.cmd.Stderr = &s.stderr
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<16)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	hello := debuggee.Object{
		"protocolVersion": "2025-06-18",
		"capabilities":    debuggee.Object{},
		"clientInfo":      debuggee.Object{"name": "aidb-bench", "version": "1"},
	}
	if _, err := s.request("initialize", hello); err != nil {
		return nil, s.fail(err)
	}
	return s, s.send(debuggee.Object{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

// reply is what a tool has answered.
type reply struct {
	text  string // that a model reads
	facts string // the same as JSON
}

// serverEnviron is the environment of a server whose calls are nobody's usage, and whose
// replies are text, with JSON beside it to be checked.
func serverEnviron(dir string) []string {
	return append(os.Environ(), "AIDB_STORE="+filepath.Join(dir, ".account", "aidb.db"), "AIDB_REPLIES=both")
}

func (s *server) pid() int { return s.cmd.Process.Pid }

func (s *server) send(message debuggee.Object) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = s.in.Write(append(line, '\n'))
	return err
}

// request sends a request and returns the whole line of its answer.
func (s *server) request(method string, params any) ([]byte, error) {
	s.id++
	if err := s.send(debuggee.Object{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		var answer struct {
			ID    int             `json:"id"`
			Error json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		if answer.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, answer.Error)
		}
		if answer.ID == s.id {
			return line, nil
		}
	}
}

// call makes a tool call and returns its reply, which must not be an error.
func (s *server) call(tool string, args debuggee.Object) (reply, error) {
	line, err := s.request("tools/call", debuggee.Object{"name": tool, "arguments": args})
	if err != nil {
		return reply{}, err
	}
	var answer struct {
		Result struct {
			Content           []struct{ Text string } `json:"content"`
			StructuredContent json.RawMessage         `json:"structuredContent"`
			IsError           bool                    `json:"isError"`
		} `json:"result"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return reply{}, err
	}
	if answer.Result.IsError || len(answer.Result.Content) == 0 {
		return reply{}, fmt.Errorf("%s: %s", tool, line)
	}
	return reply{answer.Result.Content[0].Text, string(answer.Result.StructuredContent)}, nil
}

// stop is call for what must leave the program in a status.
func (s *server) stop(tool string, args debuggee.Object, status string) (reply, error) {
	r, err := s.call(tool, args)
	if err == nil && !strings.Contains(r.facts, `"status":"`+status+`"`) {
		err = fmt.Errorf("%s: the program is not %s: %s", tool, status, r.facts)
	}
	return r, err
}

// close ends the server by the end of its input.
func (s *server) close() error {
	err := s.in.Close()
	_, _ = io.Copy(io.Discard, s.out)
	return errors.Join(err, s.cmd.Wait())
}

// fail ends the server because of err, to which it adds what the server said.
func (s *server) fail(err error) error {
	_ = s.close() // the first error is the one that counts
	if s.stderr.Len() > 0 {
		return fmt.Errorf("%w\nthe server said:\n%s", err, s.stderr.Bytes())
	}
	return err
}
