package stopped

import (
	"cmp"
	"context"
	"errors"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

const (
	hiddenMargin = 4  // frames fetched beyond a page, for those of the runtime on top
	DeepHidden   = 40 // how far down the user's frame is looked for
)

// Stack returns count frames of a thread from start on; total is 0 while the
// end has not been seen. Index 0 is the user's frame where the program was
// stopped inside the runtime (a panic, a pause); the runtime's frames above it
// have negative indices.
func (p *Program) Stack(ctx context.Context, thread, start, count int) (frames []Frame, total int, err error) {
	p, err = p.at(thread)
	if err != nil {
		return nil, 0, err
	}
	if count <= 0 {
		count = p.facts.Limits.StackPage
	}
	st, err := p.fetchStack(ctx, thread, start+count)
	if err != nil {
		return nil, 0, err
	}
	first := max(start, -st.Hidden)
	for i := first; i < start+count && i+st.Hidden < len(st.Frames); i++ {
		frames = append(frames, p.reader().Frame(i, st.Frames[i+st.Hidden]))
	}
	if st.Complete {
		total = len(st.Frames) - st.Hidden
	}
	return frames, total, nil
}

// fetchStack makes sure that a thread's first n visible frames are known, as far as they exist.
func (p *Program) fetchStack(ctx context.Context, thread, n int) (inspect.Stack, error) {
	thread = cmp.Or(thread, p.Thread())
	known := p.knownStack(thread)
	fresh := known.Frames == nil
	if fresh {
		n += hiddenMargin
	}
	if !known.Complete && len(known.Frames)-known.Hidden < n {
		if err := p.fetchFrames(ctx, thread, &known, n+known.Hidden); err != nil {
			return inspect.Stack{}, err
		}
	}
	if fresh {
		known.Hidden = p.hiddenFrames(thread, known.Frames)
		if known.Hidden < 0 && !known.Complete {
			if err := p.fetchFrames(ctx, thread, &known, DeepHidden); err != nil {
				return inspect.Stack{}, err
			}
			known.Hidden = p.hiddenFrames(thread, known.Frames)
		}
		known.Hidden = max(known.Hidden, 0)
	}
	if !p.session.IsCurrent() {
		return inspect.Stack{}, p.Err()
	}
	p.keepStack(thread, known)
	return known, nil
}

// fetchFrames asks for frames up to n in all.
func (p *Program) fetchFrames(ctx context.Context, thread int, st *inspect.Stack, n int) error {
	start := len(st.Frames)
	if !p.connection.Capabilities().SupportsDelayedStackTraceLoading {
		start = 0
	}
	more, total, err := p.connection.StackTrace(thread, start, n-start).Wait(ctx)
	if err != nil {
		return p.noStackError(ctx, thread, err)
	}
	st.Frames = append(st.Frames[:start:start], more...)
	st.Complete = len(more) != n-start || // who sends more than asked for sends all
		total == len(st.Frames) && total > 0
	return nil
}

// noStackError puts a refusal into words: only the thread can be wrong about the
// request.
func (p *Program) noStackError(ctx context.Context, thread int, err error) error {
	err = p.session.Refusal(ctx, fault.InvalidParam, "stackTrace", err)
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Code == fault.InvalidParam {
		return fault.New(fault.InvalidParam, "thread %d has no stack: %s", thread, f.Message).
			WithHint("inspect(target: threads) lists the threads").WithField("thread_id")
	}
	return err
}

// hiddenFrames counts the frames of the runtime on top of the user's: where the
// program stopped for a cause of its own, and in every other thread. -1 means
// that none of the frames is the user'p.
func (p *Program) hiddenFrames(thread int, frames []godap.StackFrame) int {
	if p.connection.IsLineless(thread) {
		return 0
	}
	switch p.event.Reason {
	case "exception", "signal", "pause", "error":
	default:
		if thread == p.Thread() {
			return p.inlinedAbove(frames)
		}
	}
	return p.reader().User(frames)
}

// inlinedAbove counts the frames above that of a function at whose beginning the program
// was stopped: of what the compiler has put there in place of a call, nothing has run yet.
func (p *Program) inlinedAbove(frames []godap.StackFrame) int {
	at := slices.IndexFunc(frames, func(f godap.StackFrame) bool {
		return slices.ContainsFunc(p.event.Functions, func(name string) bool { return inspect.IsNamed(f.Name, name) })
	})
	if at <= 0 || slices.ContainsFunc(frames[:at], func(f godap.StackFrame) bool {
		return f.InstructionPointerReference == "" || f.InstructionPointerReference != frames[at].InstructionPointerReference
	}) {
		return 0
	}
	return at
}

// Frame is the adapter's frame behind an index of ours.
func (p *Program) Frame(ctx context.Context, thread, index int) (godap.StackFrame, error) {
	p, err := p.at(thread)
	if err != nil {
		return godap.StackFrame{}, err
	}
	st, err := p.fetchStack(ctx, thread, index+1)
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

// TopFrame is the adapter's first frame of a thread, false where it has none. As much is
// fetched as the view asks for, which then asks no more.
func (p *Program) TopFrame(ctx context.Context, thread int) (godap.StackFrame, bool) {
	p, err := p.at(thread)
	if err != nil {
		return godap.StackFrame{}, false
	}
	st, err := p.fetchStack(ctx, thread, p.facts.Limits.StackPage)
	if err != nil || len(st.Frames) == 0 {
		return godap.StackFrame{}, false
	}
	return st.Frames[0], true
}

// adapterIndex is the adapter's own index of a frame, counted from the very top.
func (p *Program) adapterIndex(thread, index int) int {
	return index + p.knownStack(cmp.Or(thread, p.Thread())).Hidden
}

// chooseThread chooses the thread that a view speaks of, when the stopped one
// has no frame of the user's (a fatal error of the runtime, a pause while all
// wait): the first of the others that has one.
func (p *Program) chooseThread(ctx context.Context) (inspect.Stack, error) {
	st, err := p.fetchStack(ctx, 0, p.facts.Limits.StackPage)
	if err == nil && (len(st.Frames) == 0 || p.hiddenFrames(p.Thread(), st.Frames) >= 0) {
		return st, nil
	}
	if thread := p.findUserThread(ctx); thread != 0 {
		p.selectThread(thread)
		return p.fetchStack(ctx, thread, p.facts.Limits.StackPage)
	}
	return st, err
}

// findUserThread finds a thread with a frame of the user's, 0 when there is none.
func (p *Program) findUserThread(ctx context.Context) int {
	const asked = 8
	threads, err := p.connection.Threads(ctx)
	if err != nil {
		return 0
	}
	for _, t := range threads[:min(asked, len(threads))] {
		if t.Id == p.Thread() {
			continue
		}
		frames, _, err := p.connection.StackTrace(t.Id, 0, DeepHidden).Wait(ctx)
		if err != nil {
			continue
		}
		if p.hiddenFrames(t.Id, frames) >= 0 {
			return t.Id
		}
	}
	return 0
}
