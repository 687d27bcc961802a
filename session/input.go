package session

import (
	"context"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/lifecycle"
)

// input is the standard input of one started program. What is to be written
// waits in a queue, which one goroutine empties: the program reads when it likes.
//
// Nothing is written while mu is taken, which guards the fields below it.
type input struct {
	pipe io.WriteCloser

	mu     sync.Mutex
	queue  []byte
	closed string        // why nothing more can be written, empty while it can
	moved  chan struct{} // closed and replaced when any of it changes
}

// Why a program gets no more input.
const (
	neverOpened = "it was at end of file from the start"
	startEnded  = "it ended after the stdin text of the start"
	eofSent     = "it was closed by an earlier input with end of file"
	readerGone  = "the program has closed it"
)

// newInput gives a program the text of the start, after which its input ends
// unless it is to stay open.
func newInput(pipe io.WriteCloser, text *string, open bool) *input {
	in := &input{pipe: pipe, moved: make(chan struct{})}
	if text != nil {
		in.queue = []byte(*text)
	}
	switch {
	case open:
	case len(in.queue) == 0:
		in.closed = neverOpened
	default:
		in.closed = startEnded
	}
	// It owns the pipe, and ends when the input is closed and empty, or the program reads no more.
	go in.write()
	return in
}

// write empties the queue until the input ends.
func (in *input) write() {
	defer in.pipe.Close()
	for {
		in.mu.Lock()
		text, closed, moved := slices.Clone(in.queue[:min(len(in.queue), inputChunk)]), in.closed, in.moved
		in.mu.Unlock()
		switch {
		case len(text) > 0:
			n, err := in.pipe.Write(text)
			in.change(func() {
				in.queue = in.queue[min(n, len(in.queue)):] // it is empty where the input was ended meanwhile
				if err != nil {
					in.queue, in.closed = nil, readerGone
				}
			})
		case closed != "":
			return
		default:
			<-moved
		}
	}
}

// inputChunk is how much is written at once, so that what has been read is known.
const inputChunk = 4 << 10

// change has the fields changed, and wakes those who wait for that.
func (in *input) change(how func()) {
	in.mu.Lock()
	defer in.mu.Unlock()
	how()
	close(in.moved)
	in.moved = make(chan struct{})
}

// add queues text, and the end of the input after it. Either all of it is
// queued or nothing.
func (in *input) add(text string, eof bool) (err error) {
	in.change(func() {
		if err = addError(in.closed, len(in.queue), len(text)); err != nil {
			return
		}
		in.queue = append(in.queue, text...)
		if eof {
			in.closed = eofSent
		}
	})
	return err
}

// addError is why no more text can be added to an input, nil when it can.
func addError(closed string, queued, more int) error {
	switch {
	case closed == readerGone:
		return fault.New(fault.InvalidParam, "the program has closed its standard input")
	case closed != "":
		return fault.New(fault.InvalidParam, "the program reads no more input: %s", closed).
			WithHint("start with stdin_open: true to keep the input open, then send more with session(action: input)")
	case queued+more > maxInput:
		return fault.New(fault.InvalidParam, "%d bytes of earlier input wait for the program to read them; no more than %d can wait", queued, maxInput).
			WithHint("let the program run and read, or give it a file to read from")
	}
	return nil
}

// end closes the pipe; what is still queued is lost.
func (in *input) end() {
	in.change(func() {
		in.queue = nil
		if in.closed == "" {
			in.closed = readerGone
		}
	})
	_ = in.pipe.Close()
}

// unreadBytes is how much of the queue the program has made no room for yet.
func (in *input) unreadBytes() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.queue)
}

// awaitDrained waits until all is written, until the limit has passed, or ctx ends.
func (in *input) awaitDrained(ctx context.Context, patience time.Duration) {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		in.mu.Lock()
		left, moved := len(in.queue), in.moved
		in.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-moved:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// isAwaited says that the program can be given input and waits for some at this
// very moment, as far as the system tells.
func (in *input) isAwaited() bool {
	pipe, ok := in.pipe.(*os.File)
	in.mu.Lock()
	idle := len(in.queue) == 0 && in.closed == ""
	in.mu.Unlock()
	return ok && idle && process.ReadsFrom(pipe)
}

// feedInput gives a started program its standard input.
func (s *Session) feedInput(streams *adapters.Streams) {
	if streams.Stdin == nil {
		return
	}
	in := newInput(streams.Stdin, s.request.Program.Stdin, s.request.Program.StdinOpen)
	s.input.Store(in)
	s.wake()
}

// Input queues text for the program's stdin, and the end of the input after it,
// and gives the program a moment to read it: unread is how many bytes it has
// not taken yet. They are written as soon as it does.
func (s *Session) Input(ctx context.Context, text string, eof bool) (unread int, err error) {
	// A program that is still starting gets its input as soon as it has one.
	if err := s.waitFor(ctx, func(m *lifecycle.Machine) bool { return s.input.Load() != nil || m.Status() != Starting }); err != nil {
		return 0, err
	}
	in, st := s.input.Load(), s.state()
	switch {
	case st.Status == Terminated:
		return 0, st.EndedError()
	case in == nil:
		return 0, noInputError(s.currentRun().plan(), s.adapter.Info().Name)
	}
	if err := in.add(text, eof); err != nil {
		return 0, err
	}
	in.awaitDrained(ctx, inputPatience)
	return in.unreadBytes(), nil
}

// noInputError is why the program's standard input is not ours to write to.
func noInputError(plan *adapters.Plan, adapter string) *fault.Error {
	switch {
	case isAttached(plan):
		return fault.New(fault.NotSupported, "a program that was attached to keeps its own standard input").
			WithHint("start the program with session_start to give it input")
	case plan.Capabilities.Start.NoInput != "":
		return fault.New(fault.NotSupported, "%s starts the program itself: it can be given no standard input", adapter).
			WithHint("%s", plan.Capabilities.Start.NoInput)
	}
	return fault.New(fault.NotSupported, "the program has no standard input that could be written to").
		WithHint("let it read a file")
}

// isAttached says whether the program was started by somebody else.
func isAttached(plan *adapters.Plan) bool {
	return slices.Contains([]adapters.Mode{adapters.Attach, adapters.RemoteAttach, adapters.Core}, plan.Mode)
}

// hasInput says that the start was told what the program is to read.
func (r StartRequest) hasInput() bool { return r.Program.Stdin != nil || r.Program.StdinOpen }

// warnUngivenInput warns that the adapter has started the program without asking
// us to: nobody reads what the start was told to give it.
func (k *connection) warnUngivenInput() {
	l := k.run
	s := l.s
	given := l.programs.first() != nil || l.plan().Streams != nil && l.plan().Streams.Stdin != nil
	if s.request.hasInput() && !given {
		l.notices.add("the program was not given stdin: " + s.adapter.Info().Name + " has started it itself, without asking for a terminal")
	}
}

// AwaitsInput says that the program runs, and waits for input that we could give.
func (s *Session) AwaitsInput() bool {
	in := s.input.Load()
	return s.status() == Running && in != nil && in.isAwaited()
}

// closeInput ends the input with the program.
func (s *Session) closeInput() {
	if in := s.input.Swap(nil); in != nil {
		in.end()
	}
}
