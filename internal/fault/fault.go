// Package fault is the one table of error codes and the one error type that
// reaches the agent: what happened, and what to do next.
//
// It knows nothing of where errors come from or how they are shown.
package fault

import (
	"errors"
	"fmt"
)

// Code is one of the contract's error codes; the prefix AIDB_ is added when it is shown.
type Code string

// The codes of the contract.
const (
	SessionNotFound   Code = "SESSION_NOT_FOUND"
	SessionNotStarted Code = "SESSION_NOT_STARTED"
	SessionTerminated Code = "SESSION_TERMINATED"
	SessionStart      Code = "SESSION_START_FAILED"
	SessionLimit      Code = "SESSION_LIMIT"

	NotPaused  Code = "STATE_NOT_PAUSED"
	NotRunning Code = "STATE_NOT_RUNNING"

	MissingParam    Code = "VALIDATION_MISSING_PARAM"
	InvalidParam    Code = "VALIDATION_INVALID_PARAM"
	InvalidAction   Code = "VALIDATION_INVALID_ACTION"
	InvalidLocation Code = "VALIDATION_INVALID_LOCATION"
	InvalidTarget   Code = "VALIDATION_INVALID_TARGET"
	UnknownParam    Code = "VALIDATION_UNKNOWN_PARAM"

	BuildFailed Code = "BUILD_FAILED"

	Evaluation     Code = "EVALUATION_FAILED"
	InvalidFrame   Code = "INVALID_FRAME"
	StaleReference Code = "STALE_REFERENCE"
	VariableSet    Code = "VARIABLE_SET_FAILED"
	Patch          Code = "PATCH_FAILED"
	Breakpoint     Code = "BREAKPOINT_FAILED"

	NotSupported Code = "CAPABILITY_NOT_SUPPORTED"

	AdapterNotFound Code = "ADAPTER_NOT_FOUND"
	AdapterInstall  Code = "ADAPTER_INSTALL_FAILED"
	AdapterCrashed  Code = "ADAPTER_CRASHED"
	AdapterTimeout  Code = "ADAPTER_TIMEOUT"

	WorkerCrashed Code = "WORKER_CRASHED"
	WorkerLimit   Code = "WORKER_LIMIT"
	WorkerTimeout Code = "WORKER_TIMEOUT"
	WorkerGone    Code = "WORKER_GONE"
	BridgeDown    Code = "BRIDGE_DOWN"

	ConfigNotFound Code = "CONFIG_NOT_FOUND"
	ConfigInvalid  Code = "CONFIG_INVALID"
	PolicyDenied   Code = "POLICY_DENIED"
	HeldByPerson   Code = "HELD_BY_PERSON"
	Cancelled      Code = "OPERATION_CANCELLED"
	Internal       Code = "INTERNAL_ERROR" // a bug of ours, never a catch-all
)

// Error is a failure as the agent will read it.
type Error struct {
	Code    Code
	Message string // one lower-case sentence: what happened, with the adapter's own reason
	Summary string // one plain sentence in place of what the code says of itself; empty for most
	Hint    string // what to do next
	Field   string // the parameter at fault, if one is
	Details any    // structured: compiler errors, candidates; marshals to JSON
	Kind    Kind   // tells errors of one code apart for us; empty for most
	Err     error  // the cause, for the log
}

// Kind tells errors of one code apart, for who judges what became of a start.
type Kind string

// NoSuchTest is a test that was asked for and is not there.
const NoSuchTest Kind = "no such test"

// NoTest is the error of a start for a test that is not there.
func NoTest(format string, args ...any) *Error {
	e := New(InvalidParam, format, args...).WithField("test")
	e.Kind = NoSuchTest
	return e
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// New makes an error without a hint; format is the message.
func New(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// WithHint adds what to do next.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// WithField names the parameter at fault.
func (e *Error) WithField(field string) *Error {
	e.Field = field
	return e
}

// WithDetails adds structured details.
func (e *Error) WithDetails(details any) *Error {
	e.Details = details
	return e
}

// Changed is a copy of the error of ours in err, with a change; err itself where there is none.
func Changed(err error, change func(*Error)) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	copied := *e
	change(&copied)
	return &copied
}

// Is reports whether err carries code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}
