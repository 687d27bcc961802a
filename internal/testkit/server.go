package testkit

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// CallLimit ends a call that hangs: no answer may take longer in these tests.
const CallLimit = 3 * time.Minute

// A is the arguments of a call.
type A map[string]any

// Options say how a server is started.
type Options struct {
	Dir      string   // working directory; empty: an empty one
	Bare     bool     // without "serve"
	Args     []string // after "serve"
	Command  []string // the whole command line of a server that is installed; empty: the built one
	Through  []string // a command that becomes the server, which its arguments name: env, sh -c 'ulimit …; exec "$@"' sh
	Env      []string // added to ours
	Tmp      string   // its temporary directory; empty: a new one
	Protocol string   // MCP revision; empty: the newest
	Replies  string   // their form; empty: both, so that they can be compared; "default": the server's own
	Limits   bool     // its limits are those that users have, in the long run too, where others leave a debugger more time
	Progress func(message string)
	Client   func(*mcp.ClientOptions) // what else the client can do
}

// Server is a running server with the official client connected to it.
type Server struct {
	Dir    string
	Tmp    string // the server's temporary directory
	Mark   string // stands in the environment of every process that it starts
	Client *mcp.ClientSession

	child *child
	t     testing.TB
}

// For is the server as a part of the test sees it.
func (s *Server) For(t testing.TB) *Server {
	other := *s
	other.t = t
	return &other
}

// child is the server as a process; its streams are real pipes.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *os.File
	stderr lockedBuffer
	exited chan struct{}
	killed atomic.Bool

	mu     sync.Mutex
	faults []error             // what was wrong on the wire
	raw    map[string][]string // structured content by the text beside it: the client decodes it with loss
}

var serial atomic.Int64

// patience is the time that a debugger has in the long run: the server looks for races
// there, which makes it many times slower, beside all else that runs. What a limit does is
// tested with one of the test's own.
var patience = []string{"AIDB_REQUEST_TIMEOUT=60s", "AIDB_ADAPTER_START_TIMEOUT=2m"}

// Start starts the server and connects the client. When the test ends the
// client goes away, and everything of the server must be gone.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := launch(t, o)
	options := &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			if o.Progress != nil {
				o.Progress(r.Params.Message)
			}
		},
	}
	if o.Client != nil {
		o.Client(options)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "testkit", Version: "1"}, options)
	ctx, cancel := context.WithTimeout(context.Background(), CallLimit)
	defer cancel()
	var err error
	s.Client, err = client.Connect(ctx, &mcp.IOTransport{Reader: s.child.checkedOutput(), Writer: s.child.stdin},
		&mcp.ClientSessionOptions{ProtocolVersion: o.Protocol})
	if err != nil {
		t.Fatalf("connecting: %v\nserver's stderr:\n%s", err, s.Stderr())
	}
	return s
}

// launch starts the process, and arranges for its end and the checks after it.
func launch(t testing.TB, o Options) *Server {
	t.Helper()
	if o.Dir == "" {
		o.Dir = NewProgram(t, "").Dir
	}
	if o.Tmp == "" {
		o.Tmp = t.TempDir()
	}
	tmp, err := filepath.EvalSymlinks(o.Tmp)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Dir: o.Dir, Tmp: tmp, t: t}
	s.Mark = fmt.Sprintf("AIDB_TESTKIT=%d-%d.", os.Getpid(), serial.Add(1))

	var args []string
	if o.Replies != "default" {
		args = []string{"--replies", cmp.Or(o.Replies, "both")}
	}
	if !o.Bare {
		args = append(args, "serve")
	}
	line := o.Command
	if line == nil {
		line = slices.Concat(o.Through, []string{Binary(t)}, args, o.Args)
	}
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = o.Dir
	// Certificates that the machine adds would be read at the start of each of node's processes,
	// which takes them longer than all the rest of it.
	cmd.Env = append(os.Environ(), "TMPDIR="+s.Tmp, "AIDB_HOME="+Home(), "NODE_EXTRA_CA_CERTS=", s.Mark)
	if IsLong() && !o.Limits {
		cmd.Env = append(cmd.Env, patience...)
	}
	cmd.Env = append(cmd.Env, o.Env...)
	s.child = &child{cmd: cmd, exited: make(chan struct{}), raw: map[string][]string{}}
	if err := s.child.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.end)
	return s
}

func (c *child) start() error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer write.Close()
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	c.stdout, c.cmd.Stdout, c.cmd.Stderr = read, write, &c.stderr
	if err := c.cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = c.cmd.Wait()
		close(c.exited)
	}()
	return nil
}

// checkedOutput passes on what the server writes and checks every line of it.
func (c *child) checkedOutput() io.ReadCloser {
	pass, feed := io.Pipe()
	go func() {
		lines := bufio.NewReader(c.stdout)
		for {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				c.check(line)
				_, _ = feed.Write(line)
			}
			if err != nil {
				_ = feed.CloseWithError(err)
				return
			}
		}
	}()
	return pass
}

// check keeps what is wrong with a line, and the structured content in it.
func (c *child) check(line []byte) {
	fault := checkResult(line)
	var m wireResult
	_ = json.Unmarshal(line, &m) // checked by now
	c.mu.Lock()
	defer c.mu.Unlock()
	if fault != nil {
		c.faults = append(c.faults, fault)
	}
	if len(m.Result.Content) > 0 && m.Result.StructuredContent != nil {
		text := m.Result.Content[0].Text
		c.raw[text] = append(c.raw[text], unescapeHTML(m.Result.StructuredContent))
	}
}

// structuredContent is the structured content that came with a text; the text itself when
// it came alone.
func (c *child) structuredContent(text string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.raw[text]
	if len(list) == 0 {
		return text
	}
	if c.raw[text] = list[1:]; len(list) == 1 {
		delete(c.raw, text)
	}
	return list[0]
}

// end closes the server's stdin, as a client does that goes away, and checks
// that nothing stays behind.
func (s *Server) end() {
	_ = s.child.stdin.Close()
	select {
	case <-s.child.exited:
	case <-time.After(15 * time.Second):
		s.t.Errorf("the server still runs 15 s after the end of its input\nits stderr:\n%s", s.Stderr())
		s.Kill()
	}
	if s.Client != nil {
		_ = s.Client.Close()
	}
	_ = s.child.stdout.Close()
	if code := s.child.cmd.ProcessState.ExitCode(); code != 0 && !s.child.killed.Load() {
		s.t.Errorf("the server ended with code %d, want 0\nits stderr:\n%s", code, s.Stderr())
	}
	s.child.mu.Lock()
	for _, fault := range s.child.faults {
		s.t.Error(fault)
	}
	s.child.mu.Unlock()
	s.NothingLeft(10 * time.Second)
	if s.t.Failed() && s.Stderr() != "" {
		s.t.Logf("the server's stderr:\n%s", s.Stderr())
	}
}

// NothingLeft fails the test unless every process that this server started, and
// every file in its temporary directory, is gone within the limit.
func (s *Server) NothingLeft(limit time.Duration) {
	s.t.Helper()
	NoneLeft(s.t, limit, func() []Proc {
		return slices.DeleteFunc(Marked(s.Mark), func(p Proc) bool {
			return p.PID == s.PID() || s.lives() && p.Keeper()
		})
	})
	s.NoScratch(limit)
}

// lives says that the server has not ended; then it has its private directory,
// and the keeper of that.
func (s *Server) lives() bool {
	select {
	case <-s.child.exited:
		return false
	default:
		return true
	}
}

// NoScratch fails the test unless the server's temporary directory becomes empty
// within the limit, but for an empty private directory of a server that lives.
func (s *Server) NoScratch(limit time.Duration) {
	s.t.Helper()
	var names []string
	defer func() {
		if s.t.Failed() && len(names) > 0 {
			s.t.Logf("in the temporary directory: %q", names)
		}
	}()
	Eventually(s.t, limit, "empty temporary directory", func() bool {
		names, _ = filepath.Glob(filepath.Join(s.Tmp, "*"))
		if !s.lives() {
			return len(names) == 0
		}
		root := func(name string) bool { return strings.HasPrefix(filepath.Base(name), "aidb-") }
		names = slices.DeleteFunc(names, root)
		inside, _ := filepath.Glob(filepath.Join(s.Tmp, "aidb-*", "*"))
		for _, name := range inside {
			if filepath.Base(name) != "lock" {
				names = append(names, name)
			}
		}
		return len(names) == 0
	})
}

// PID is the server's process id.
func (s *Server) PID() int { return s.child.cmd.Process.Pid }

// Kill kills the server with SIGKILL and waits until it is gone.
func (s *Server) Kill() {
	s.child.killed.Store(true)
	_ = s.child.cmd.Process.Kill()
	<-s.child.exited
}

// Signal sends a signal to the server.
func (s *Server) Signal(sig os.Signal) {
	s.child.killed.Store(true)
	_ = s.child.cmd.Process.Signal(sig)
}

// Exited is closed when the server has ended.
func (s *Server) Exited() <-chan struct{} { return s.child.exited }

// CloseInput ends the server's input.
func (s *Server) CloseInput() { _ = s.child.stdin.Close() }

// Vanish breaks both of the server's streams at once, as the death of a client does.
func (s *Server) Vanish() {
	_ = s.child.stdin.Close()
	_ = s.child.stdout.Close()
}

// Stderr is what the server has written to its stderr.
func (s *Server) Stderr() string { return s.child.stderr.String() }

// Call calls a tool and fails the test when no reply of the tool comes.
func (s *Server) Call(tool string, args any) Reply {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), CallLimit)
	defer cancel()
	r, err := s.CallContext(ctx, tool, args)
	if errors.Is(err, context.DeadlineExceeded) {
		s.dump()
	}
	if err != nil {
		s.t.Fatalf("> %.2000s: %v\nthe server's stderr:\n%s", r.Call, err, s.Stderr())
	}
	return r
}

// dump ends a server that does not answer, and has it write to its stderr where each of its
// goroutines stands.
func (s *Server) dump() {
	s.Signal(syscall.SIGQUIT)
	select {
	case <-s.child.exited:
	case <-time.After(10 * time.Second):
		s.Kill()
	}
}

// CallContext calls a tool; the error is one of the protocol or the context's.
func (s *Server) CallContext(ctx context.Context, tool string, args any) (Reply, error) {
	if args == nil {
		args = A{}
	}
	text, err := json.Marshal(args)
	if err != nil {
		return Reply{}, err
	}
	reply := Reply{Call: tool + " " + string(text), t: s.t}
	params := &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(text)}
	params.SetProgressToken(strconv.FormatInt(serial.Add(1), 10))
	result, err := s.Client.CallTool(ctx, params)
	if err != nil {
		return reply, err
	}
	for _, block := range result.Content {
		if b, ok := block.(*mcp.TextContent); ok {
			reply.Text += b.Text
		}
	}
	reply.IsError, reply.JSON = result.IsError, s.child.structuredContent(reply.Text)
	record(s.t, reply.record(tool))
	return reply, nil
}

// OK calls a tool that must succeed.
func (s *Server) OK(tool string, args any) Reply {
	s.t.Helper()
	r := s.Call(tool, args)
	if r.IsError {
		s.t.Fatalf("the call failed:\n%s\nthe server's stderr:\n%s", r, s.Stderr())
	}
	return r
}

// Fail calls a tool that must fail with this code (without AIDB_), saying what
// happened and what to do next.
func (s *Server) Fail(code, tool string, args any) Reply {
	s.t.Helper()
	r := s.Call(tool, args)
	if !r.IsError || r.At("error", "code") != "AIDB_"+code {
		s.t.Fatalf("want the error AIDB_%s in\n%s\nthe server's stderr:\n%s", code, r, s.Stderr())
	}
	if strings.TrimSpace(r.At("error", "message")) == "" || strings.TrimSpace(r.At("error", "hint")) == "" {
		s.t.Fatalf("an error without message or hint:\n%s", r)
	}
	return r
}

// Running waits until the program of the current session runs, however long its build takes.
func (s *Server) Running() {
	s.t.Helper()
	Eventually(s.t, CallLimit, "running", func() bool { return s.OK("session", nil).Status() == "running" })
}

// lockedBuffer collects what another goroutine writes.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
