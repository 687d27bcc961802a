package pool

import (
	"context"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/frame"
)

// crashAnswer is the answer to a call whose worker has ended, or was ended, for a reason.
func (s *ClientSlot) crashAnswer(reason, said string, sessions []Session) *fault.Error {
	message := "the worker process has ended: " + said
	if len(sessions) > 0 {
		message += "; lost are the debug sessions " + strings.Join(names(sessions), ", ") + ", with the programs that they had started"
	}
	s.mu.Lock()
	crashes := len(s.crashes)
	s.mu.Unlock()
	if crashes > s.pool.o.Restarts {
		return s.givenUpAnswer(time.Now().Add(s.pool.o.Window))
	}
	hint := "the next call has a new worker"
	if len(sessions) > 0 {
		hint += ": start the session again with session_start"
	}
	code := fault.WorkerCrashed
	if reason == memoryReason {
		code = fault.WorkerLimit
	}
	return fault.New(code, "%s", message).WithHint("%s", hint)
}

// closingAnswer is the answer to a call whose worker ends because we want it to.
func closingAnswer() *fault.Error {
	return fault.New(fault.Cancelled, "the call was cut short: its client's connection is closed, or the server is shutting down").
		WithHint("call again when it is back, or with a new connection")
}

func (s *ClientSlot) givenUpAnswer(until time.Time) *fault.Error {
	return fault.New(fault.WorkerCrashed, "the worker process has crashed more than %d times within %s and is not started for now", s.pool.o.Restarts, s.pool.o.Window).
		WithHint("the first call after %s tries again; the log of the server tells why it crashes", until.UTC().Format("15:04:05 MST"))
}

// startFailure is the answer to a call for which no worker could be started.
func (s *ClientSlot) startFailure(err error) *fault.Error {
	return fault.New(fault.WorkerCrashed, "no worker process could be started: %w", err).
		WithHint("the log of the server has more")
}

func timeoutAnswer(request frame.Frame, limit time.Duration) *fault.Error {
	what := request.Method()
	if tool := request.Text("params", "name"); tool != "" {
		what = tool
	}
	return fault.New(fault.WorkerTimeout, "%s has not been answered within %s and is given up", what, limit).
		WithHint("the worker has been asked to end it, and is restarted if it does not answer at all; session(status) tells where the program stands")
}

func fullAnswer(queue int) *fault.Error {
	return fault.New(fault.WorkerLimit, "%d calls wait for their answers already, and no more can", queue).
		WithHint("call again when some of them are answered")
}

func abandonedAnswer(ctx context.Context) *fault.Error {
	return fault.New(fault.Cancelled, "the call was given up: %v", context.Cause(ctx))
}

func names(sessions []Session) []string {
	var ids []string
	for _, s := range sessions {
		ids = append(ids, s.ID)
	}
	return ids
}
