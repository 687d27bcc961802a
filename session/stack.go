package session

import (
	"context"
	"errors"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// stopPoint is one stop and what has been learnt at it; it dies when the
// program resumes, with all ids the adapter gave out. The session's mu guards
// stacks and thread; the rest never changes.
type stopPoint struct {
	number     int
	epoch      int
	thread     int // the current one
	connection *connection
	stop       adapters.Stop
	placed     bool // it was decided about by its place, or needs none
	stacks     map[int]*inspect.Stack
}

// isCurrent says that the session still stands at this stop; mu is held.
func (t *stopPoint) isCurrent(s *Session) bool {
	return s.still != nil && s.still.number == t.number && s.still.epoch == t.epoch
}

const (
	hiddenMargin = 4  // frames fetched beyond a page, for those of the runtime on top
	deepHidden   = 40 // how far down the user's frame is looked for
)

// currentThread is the thread that a stop is about.
func (s *Session) currentThread(still *stopPoint) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return still.thread
}

// Stack returns count frames of a thread from start on; total is 0 while the
// end has not been seen. Index 0 is the user's frame where the program was
// stopped inside the runtime (a panic, a pause); the runtime's frames above it
// have negative indices.
func (s *Session) Stack(ctx context.Context, thread, start, count int) (frames []Frame, total int, err error) {
	still, err := s.stopFor(thread)
	if err != nil {
		return nil, 0, err
	}
	if count <= 0 {
		count = s.limits.StackPage
	}
	st, err := s.fetchStack(ctx, still, thread, start+count)
	if err != nil {
		return nil, 0, err
	}
	first := max(start, -st.Hidden)
	for i := first; i < start+count && i+st.Hidden < len(st.Frames); i++ {
		frames = append(frames, s.reader().Frame(i, st.Frames[i+st.Hidden]))
	}
	if st.Complete {
		total = len(st.Frames) - st.Hidden
	}
	return frames, total, nil
}

// fetchStack makes sure that a thread's first n visible frames are known, as far as they exist.
func (s *Session) fetchStack(ctx context.Context, still *stopPoint, thread, n int) (inspect.Stack, error) {
	s.mu.Lock()
	if thread == 0 {
		thread = still.thread
	}
	st := still.stacks[thread]
	if st == nil {
		st = &inspect.Stack{}
	}
	known := *st
	caps := still.connection.caps
	s.mu.Unlock()

	fresh := known.Frames == nil
	if fresh {
		n += hiddenMargin
	}
	if !known.Complete && len(known.Frames)-known.Hidden < n {
		if err := s.fetchFrames(ctx, still, thread, &known, n+known.Hidden, caps); err != nil {
			return inspect.Stack{}, err
		}
	}
	if fresh {
		known.Hidden = s.hiddenFrames(still, thread, known.Frames)
		if known.Hidden < 0 && !known.Complete {
			if err := s.fetchFrames(ctx, still, thread, &known, deepHidden, caps); err != nil {
				return inspect.Stack{}, err
			}
			known.Hidden = s.hiddenFrames(still, thread, known.Frames)
		}
		known.Hidden = max(known.Hidden, 0)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !still.isCurrent(s) {
		return inspect.Stack{}, s.notStoppedError()
	}
	still.stacks[thread] = &known
	return known, nil
}

// fetchFrames asks for frames up to n in all.
func (s *Session) fetchFrames(ctx context.Context, still *stopPoint, thread int, st *inspect.Stack, n int, caps godap.Capabilities) error {
	start := len(st.Frames)
	if !caps.SupportsDelayedStackTraceLoading {
		start = 0
	}
	more, total, err := still.connection.stackTrace(thread, start, n-start).wait(ctx)
	if err != nil {
		return s.noStackError(ctx, thread, err)
	}
	st.Frames = append(st.Frames[:start:start], more...)
	st.Complete = len(more) != n-start || // who sends more than asked for sends all
		total == len(st.Frames) && total > 0
	return nil
}

// noStackError puts a refusal into words: only the thread can be wrong about the
// request.
func (s *Session) noStackError(ctx context.Context, thread int, err error) error {
	err = s.refusalError(ctx, fault.InvalidParam, "stackTrace", err)
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Code == fault.InvalidParam {
		return fault.New(fault.InvalidParam, "thread %d has no stack: %s", thread, f.Message).
			WithHint("inspect(target: threads) lists the threads").WithField("thread_id")
	}
	return err
}

// hiddenFrames counts the frames of the runtime on top of the user's: where the
// program stopped for a cause of its own, and in every other thread. -1 means
// that none of the frames is the user's.
func (s *Session) hiddenFrames(still *stopPoint, thread int, frames []godap.StackFrame) int {
	if still.connection.isLineless(thread) {
		return 0
	}
	switch still.stop.Reason {
	case "exception", "signal", "pause", "error":
	default:
		if thread == s.currentThread(still) {
			return 0
		}
	}
	return s.reader().User(frames)
}

// adapterFrame finds the adapter's frame behind an index of ours.
func (s *Session) adapterFrame(ctx context.Context, thread, index int) (godap.StackFrame, error) {
	still, err := s.stopFor(thread)
	if err != nil {
		return godap.StackFrame{}, err
	}
	st, err := s.fetchStack(ctx, still, thread, index+1)
	if err != nil {
		return godap.StackFrame{}, err
	}
	at := index + st.Hidden
	if at < 0 || at >= len(st.Frames) {
		return godap.StackFrame{}, fault.New(fault.InvalidFrame, "there is no frame %d", index).
			WithHint("this stack has the frames 0 to %d; inspect(target: stack) shows them", len(st.Frames)-st.Hidden-1).
			WithField("frame")
	}
	return st.Frames[at], nil
}

// adapterIndex is the adapter's own index of a frame, counted from the very top.
func (s *Session) adapterIndex(still *stopPoint, thread, index int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if thread == 0 {
		thread = still.thread
	}
	if st := still.stacks[thread]; st != nil {
		return index + st.Hidden
	}
	return index
}

// frameAt is adapterFrame in our words.
func (s *Session) frameAt(ctx context.Context, thread, index int) (stepFrame, error) {
	f, err := s.adapterFrame(ctx, thread, index)
	return stepFrame{f.Name, f.Line}, err
}

// stepFrame is what stepping compares.
type stepFrame struct {
	Name string
	Line int
}

// chooseThread chooses the thread that a view speaks of, when the stopped one
// has no frame of the user's (a fatal error of the runtime, a pause while all
// wait): the first of the others that has one.
func (s *Session) chooseThread(ctx context.Context, still *stopPoint) (inspect.Stack, error) {
	st, err := s.fetchStack(ctx, still, 0, s.limits.StackPage)
	if err == nil && (len(st.Frames) == 0 || s.hiddenFrames(still, s.currentThread(still), st.Frames) >= 0) {
		return st, nil
	}
	if thread := s.findUserThread(ctx, still); thread != 0 {
		s.mu.Lock()
		if still.isCurrent(s) {
			s.still.thread, s.now.ThreadID = thread, thread
			still.thread = thread
		}
		s.mu.Unlock()
		return s.fetchStack(ctx, still, thread, s.limits.StackPage)
	}
	return st, err
}

// findUserThread finds a thread with a frame of the user's, 0 when there is none.
func (s *Session) findUserThread(ctx context.Context, still *stopPoint) int {
	const asked = 8
	threads, err := still.connection.threads(ctx)
	if err != nil {
		return 0
	}
	for _, t := range threads[:min(asked, len(threads))] {
		if t.Id == s.currentThread(still) {
			continue
		}
		frames, err := still.connection.frames(ctx, t.Id, deepHidden)
		if err != nil {
			continue
		}
		if s.hiddenFrames(still, t.Id, frames) >= 0 {
			return t.Id
		}
	}
	return 0
}
