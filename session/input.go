package session

import (
	"context"
	"io"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// inputState is the program's stdin. Guarded by the session's mu; queue has
// room for one writer at a time.
type inputState struct {
	pipe   io.WriteCloser // nil when it is not ours or closed
	ours   bool           // the adapter gives us the pipe
	closed string         // why there is no input any more
}

// feedInput gives a started program its stdin: end of file at once, or the
// start text, after which it stays open. A program need not read it, so the
// text is written on a goroutine.
func (s *Session) feedInput(streams *adapters.Streams) {
	if streams.Stdin == nil {
		return
	}
	if s.request.Stdin == nil {
		_ = streams.Stdin.Close()
		s.mu.Lock()
		s.input = inputState{ours: true, closed: "its standard input was at end of file from the start"}
		s.broadcast()
		s.mu.Unlock()
		return
	}
	s.mu.Lock()
	s.input = inputState{pipe: streams.Stdin, ours: true}
	s.broadcast()
	s.mu.Unlock()
	if text := *s.request.Stdin; text != "" {
		go func() {
			if _, err := io.WriteString(streams.Stdin, text); err != nil {
				s.log.Debug("write stdin", "error", err)
			}
		}()
	}
}

// Input writes to the program's stdin; eof closes it afterwards.
func (s *Session) Input(ctx context.Context, text string, eof bool) error {
	// A program that is still starting gets its input as soon as it has one.
	if err := s.waitFor(ctx, func() bool { return s.input.ours || s.now.Status != Starting }); err != nil {
		return err
	}
	s.mu.Lock()
	in, status, ended := s.input, s.now.Status, error(nil)
	if status == Terminated {
		ended = s.ended()
	}
	s.mu.Unlock()
	switch {
	case ended != nil:
		return ended
	case !in.ours:
		return fault.New(fault.NotSupported, "the program's standard input is not ours to write to").
			WithHint("programs that were attached to keep their own; start it with session_start to give it input")
	case in.pipe == nil:
		return fault.New(fault.InvalidParam, "the program reads no more input: %s", in.closed).
			WithHint(`start with stdin: "" (or its first lines) to keep the input open, then send more with session(action: input)`)
	}
	written := make(chan error, 1)
	go func() {
		_, err := io.WriteString(in.pipe, text)
		written <- err
	}()
	select {
	case err := <-written:
		if err != nil {
			return fault.New(fault.InvalidParam, "the program has closed its standard input: %w", err)
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if eof {
		s.mu.Lock()
		s.input.pipe, s.input.closed = nil, "it was closed by an earlier input with end of file"
		s.mu.Unlock()
		_ = in.pipe.Close()
	}
	return nil
}

// closeInput forgets the pipe; the plan closes it.
func (s *Session) closeInput() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.input = inputState{}
}
