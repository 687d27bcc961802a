package session

import (
	"context"
	"errors"
	"fmt"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
)

// disconnect asks the adapter to let go, within its limit: the child sessions first,
// for some adapters answer for the root only when they have gone.
func (l *run) disconnect(kill bool) {
	links := l.connections.all()
	if len(links) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), disconnectLimit)
	defer cancel()
	args := disconnectArguments{TerminateDebuggee: kill || !l.plan().Detach}
	if l.plan().Capabilities.End.StandsAtDisconnect && !args.TerminateDebuggee {
		links[0].resumeDetached(ctx)
	}
	if release := l.plan().Capabilities.End.Release; release != nil && !args.TerminateDebuggee {
		l.logDisconnect(release(ctx, links[0]))
	}
	var asked []*dap.Pending
	for _, k := range links[1:] {
		if !k.over.Load() {
			asked = append(asked, k.Send("disconnect", args))
		}
	}
	for _, pending := range asked {
		l.logDisconnect(pending.Wait(ctx, nil))
	}
	l.logDisconnect(links[0].Call(ctx, "disconnect", args, nil))
}

// leftText says what has become of a program that was to run on, as far as the adapter
// tells.
func (l *run) leftText() string {
	if l.ending.atLeave.Load() {
		return "; the program was not left running: " + l.plan().Capabilities.End.EndsAtDisconnect.Why
	}
	return leftRunning
}

// resumeDetached takes the breakpoints back from an adapter and lets its program go on,
// where the adapter does neither by itself when it is left.
func (k *connection) resumeDetached(ctx context.Context) {
	st := k.run.s.state()
	var asked []*dap.Pending
	for _, r := range k.run.s.breakpoints.Withdrawal(k.breakpointConnection()) {
		asked = append(asked, k.sendBreakpoints(r).pending)
	}
	if st.Status.Stopped() {
		k.run.logDisconnect(k.evaluateAtLeave(ctx, st.ThreadID))
		asked = append(asked, k.Send("continue", godap.ContinueArguments{ThreadId: k.AdapterThread(st.ThreadID)}))
	}
	for _, pending := range asked {
		k.run.logDisconnect(pending.Wait(ctx, nil))
	}
}

// evaluateAtLeave has the debugger take out what it would leave in a program that stands.
func (k *connection) evaluateAtLeave(ctx context.Context, thread int) error {
	expression := k.run.plan().Capabilities.End.LeavesBy
	if expression == "" {
		return nil
	}
	var stack godap.StackTraceResponseBody
	if err := k.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: k.AdapterThread(thread), Levels: 1}, &stack); err != nil {
		return fmt.Errorf("finding the frame in which the program is left: %w", err)
	}
	if len(stack.StackFrames) == 0 {
		return errors.New("the program has no frame in which it could be left")
	}
	return k.Call(ctx, "evaluate", godap.EvaluateArguments{Expression: expression, FrameId: stack.StackFrames[0].Id, Context: "repl"}, nil)
}

func (l *run) logDisconnect(err error) {
	if err != nil && !errors.Is(err, dap.ErrClosed) {
		l.s.log.Debug("disconnect", "error", err)
	}
}

// disconnectArguments always says what becomes of the program.
type disconnectArguments struct {
	TerminateDebuggee bool `json:"terminateDebuggee"`
}
