package responses

import (
	"cmp"
	"context"
	"errors"

	"aidb-mcp/internal/fault"
)

// codePrefix begins the codes of errors.
const codePrefix = "AIDB_"

// Failure turns an error into the answer that tells it. A *fault.Error speaks
// for itself, unless the machine lacks something; a context's end is told as
// such; anything else is a bug of ours.
func Failure(err error) *Envelope {
	f := asFault(err).TrueCause()
	var advised *Advised
	var steps []NextStep
	if errors.As(err, &advised) {
		steps = advised.NextSteps
	}
	return &Envelope{
		Summary:   cmp.Or(f.Summary, summaries[f.Code]),
		NextSteps: steps,
		Error: &Problem{
			Code:    codePrefix + string(f.Code),
			Message: f.Message,
			Hint:    f.Hint,
			Field:   f.Field,
			Details: f.Details,
		},
	}
}

// Advised is an error with the calls that are worth making after it.
type Advised struct {
	Err       error
	NextSteps []NextStep
}

func (a *Advised) Error() string { return a.Err.Error() }

// Unwrap gives the error itself.
func (a *Advised) Unwrap() error { return a.Err }

func asFault(err error) *fault.Error {
	var f *fault.Error
	switch {
	case errors.As(err, &f) && f != nil:
		return f
	case errors.Is(err, context.Canceled):
		return fault.New(fault.Cancelled, "the call was cancelled; the program keeps its state").
			WithHint("call again when ready; session(status) tells where the program stands")
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.AdapterTimeout, "the debug adapter did not answer in time: %w", err).
			WithHint("session(status) tells where the program stands; session(restart) starts it anew")
	}
	return fault.New(fault.Internal, "%w", err).
		WithHint("this is a bug in aidb-mcp; its log on stderr has more. session(status) tells whether the session still works")
}

// summaries say in one plain sentence what kind of failure each code is; the
// message then says what happened.
var summaries = map[fault.Code]string{
	fault.SessionNotFound:   "there is no such session",
	fault.SessionNotStarted: "no session has been started",
	fault.SessionTerminated: "the program has ended",
	fault.SessionStart:      "the session could not be started",
	fault.SessionLimit:      "too many sessions are open",
	fault.NotPaused:         "the program is not stopped",
	fault.NotRunning:        "the program is not running",
	fault.MissingParam:      "a parameter is missing",
	fault.InvalidParam:      "a parameter is not valid",
	fault.InvalidAction:     "there is no such action",
	fault.InvalidLocation:   "the location is not valid",
	fault.InvalidTarget:     "the target cannot be debugged",
	fault.UnknownParam:      "there is no such parameter",
	fault.BuildFailed:       "the program does not build",
	fault.Evaluation:        "the expression could not be evaluated",
	fault.InvalidFrame:      "there is no such frame",
	fault.StaleReference:    "the reference is no longer valid",
	fault.VariableSet:       "the variable could not be set",
	fault.Patch:             "the code could not be replaced",
	fault.Breakpoint:        "the breakpoint could not be set or found",
	fault.NotSupported:      "the debug adapter cannot do this",
	fault.AdapterNotFound:   "the debug adapter is missing",
	fault.AdapterInstall:    "the debug adapter could not be installed",
	fault.AdapterCrashed:    "the debug adapter has died",
	fault.AdapterTimeout:    "the debug adapter did not answer in time",
	fault.WorkerCrashed:     "the server behind this address has crashed",
	fault.WorkerLimit:       "the server behind this address has reached a limit",
	fault.WorkerTimeout:     "the server behind this address does not answer",
	fault.WorkerGone:        "the machine that held the worker is gone",
	fault.BridgeDown:        "the remote server is away",
	fault.ConfigNotFound:    "there is no such setting",
	fault.ConfigInvalid:     "the setting is not valid",
	fault.PolicyDenied:      "this is not allowed here",
	fault.HeldByPerson:      "a person holds this session",
	fault.Cancelled:         "the call was cancelled",
	fault.Internal:          "something went wrong inside aidb-mcp",
}
