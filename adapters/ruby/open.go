package ruby

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// open starts the program and waits until it has connected to the socket in the session's
// directory. The listener ends with this function; the directory with the process.
func (a *adapter) open(j *job, s start) func(context.Context) (*adapters.Peer, error) {
	return func(ctx context.Context) (*adapters.Peer, error) {
		if err := os.MkdirAll(j.scratch, 0o700); err != nil {
			return nil, fmt.Errorf("making the session's directory: %w", err)
		}
		socket := filepath.Join(j.scratch, "dap")
		listener, err := new(net.ListenConfig).Listen(ctx, "unix", socket)
		if err != nil {
			return nil, fmt.Errorf("listening for the program: %w", err)
		}
		defer listener.Close()
		child, err := process.Start(process.Spec{
			Name: "ruby", Path: s.ruby.Path, Args: j.commandLine(s), Env: j.environment(s), Dir: s.dir, Streams: true, Log: j.log,
			Remove: []string{j.scratch}, Root: a.Root,
			Fill: func() error { return j.unpack(j.settings(s, socket)) },
		})
		if err != nil {
			return nil, fault.New(fault.SessionStart, "ruby could not be started: %w", err).WithHint("choose another interpreter with runtime_path")
		}
		conn, err := accept(ctx, listener, child)
		if err != nil {
			words := lastWords(child)
			child.Kill()
			child.End()
			return nil, notConnected(err, child, words)
		}
		return &adapters.Peer{Stream: conn, Done: child.Done(), Kill: child.Kill, Orphans: child.Orphans, Stderr: func() string { return "" }, Program: child}, nil
	}
}

// environment is the program's: with the Gemfile that was found for it.
func (j *job) environment(s start) []string {
	if !s.ruby.Bundled {
		return j.env
	}
	return prepare.Overlay(j.env, map[string]string{"BUNDLE_GEMFILE": j.gemfile(s.dir)})
}

// commandLine is what the interpreter is given.
func (j *job) commandLine(s start) []string {
	words := append([]string{}, j.options.RubyArgs...)
	words = append(append(words, s.ruby.flags...), j.flags...)
	words = append(words, "-r", j.bootFile())
	return append(words, s.words...)
}

func (j *job) settings(s start, socket string) settings {
	set := settings{Socket: socket, Debug: s.ruby.Debug, LoadPath: s.ruby.LoadPath}
	if j.StopOnEntry {
		set.Entry = s.main
	}
	return set
}

var errEnded = errors.New("the program has ended")

// accept waits for the program to connect. Its goroutine ends when the listener is closed.
func accept(ctx context.Context, listener net.Listener, child *process.Child) (net.Conn, error) {
	type accepted struct {
		conn net.Conn
		err  error
	}
	came := make(chan accepted, 1)
	go func() {
		conn, err := listener.Accept()
		came <- accepted{conn, err}
	}()
	select {
	case a := <-came:
		return a.conn, a.err
	case <-child.Done():
		return nil, errEnded
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// notConnected is the error for a program that ends, or does not come, before it can be
// debugged.
func notConnected(err error, child *process.Child, words string) error {
	if words != "" {
		words = "; it said: " + words
	}
	switch {
	case errors.Is(err, errEnded):
		return fault.New(fault.SessionStart, "the program ended with %s before it could be debugged%s", child.Exit(), words).
			WithHint("does it run without the debugger? adapter(action: verify) checks Ruby and its debugger")
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.AdapterTimeout, "ruby runs, but its debugger did not connect in time%s", words).
			WithHint("--adapter-start-timeout gives it longer")
	}
	return err
}

// wordsKept is how much of what a program said is told, in bytes.
const wordsKept = 4000

// lastWords are what a program that has ended said on its standard error.
func lastWords(child *process.Child) string {
	text := make([]byte, wordsKept)
	n, _ := child.Stderr.Read(text)
	return strings.TrimSpace(strings.ToValidUTF8(string(text[:n]), "?"))
}
