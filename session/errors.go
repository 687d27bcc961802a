package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/jsonwords"
)

// adapterError turns a failed request into a fault: what the adapter said, that
// it gave no answer, or that it is gone.
func (s *Session) adapterError(ctx context.Context, op string, err error) error {
	return s.refusalError(ctx, fault.Internal, op, err)
}

// refusalError is adapterError with the code for a request that the adapter refused.
func (s *Session) refusalError(ctx context.Context, code fault.Code, op string, err error) error {
	var f *fault.Error
	var refused *dap.RequestError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &refused):
		if s.NoticeEnd(ctx) {
			return s.lostError(ctx)
		}
		return refusedError(s.dialect(), code, op, refused)
	case errors.Is(err, dap.ErrUnreadable):
		return unreadableError(fault.NotSupported, op, err)
	case errors.Is(err, dap.ErrTimeout):
		return fault.New(fault.AdapterTimeout, "the debug adapter did not answer %q within %s", op, s.limits.Request).
			WithHint("try again; when it stays silent, session(action: restart) or session(action: stop)")
	case errors.Is(err, dap.ErrClosed) || errors.Is(err, context.Canceled):
		return s.lostError(ctx)
	}
	if errors.Is(err, dap.ErrPanic) {
		return fault.New(fault.Internal, "%s: %w", op, err)
	}
	return unusableError(fault.NotSupported, op, err)
}

// unreadableError is the error of an answer that cannot be parsed.
func unreadableError(code fault.Code, op string, err error) error {
	_, why, _ := strings.Cut(err.Error(), dap.ErrUnreadable.Error()+": ")
	return fault.New(code, "the debug adapter answered %q with something that is no such answer: %s", op, why).WithHint(adaptersFault)
}

// unusableError says the same of an answer that a dialect has read.
func unusableError(code fault.Code, op string, err error) error {
	return fault.New(code, "the debug adapter's answer to %q cannot be used: %s", op, jsonwords.Why(err)).WithHint(adaptersFault)
}

const adaptersFault = "this is a fault of the adapter; other requests may work, session(action: restart) begins anew"

// refusedError puts the adapter's own refusal into words.
func refusedError(dialect adapters.Dialect, code fault.Code, op string, refused *dap.RequestError) error {
	message, hint := dialect.Fault(op, refused)
	if message == "" {
		message = refused.Message
	}
	if code == fault.Internal { // no code fits better: the adapter's word on a request of ours
		code = fault.NotSupported
	}
	if code == fault.NotSupported {
		message = fmt.Sprintf("the debug adapter refused %q: %s", op, message)
	}
	switch {
	case hint != "":
	case code == fault.Evaluation:
		hint = "inspect(target: locals) shows the names in this frame; frame: 1 is the caller's"
	default:
		hint = "the program stands where it stood; config(action: capabilities) says what this adapter can do"
	}
	return withHint(fault.New(code, "%s", message), hint)
}

// lostError is the error of a request whose connection broke; the state that
// explains it may follow.
func (s *Session) lostError(ctx context.Context) error {
	settling, cancel := context.WithTimeout(ctx, disconnectLimit)
	defer cancel()
	_ = s.waitFor(settling, hasEnded)
	if crash := s.crashError(); crash != nil {
		return crash
	}
	if st := s.state(); st.Status == Terminated {
		return st.EndedError()
	}
	return fault.New(fault.AdapterCrashed, "the debug adapter has ended").
		WithHint("start again with session(action: restart)")
}
