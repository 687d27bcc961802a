package adapters

import (
	"context"
	"strconv"

	godap "github.com/google/go-dap"
)

// Exceptions is what an adapter knows of exceptions, panics and failed expectations. The
// filters belong to setExceptionBreakpoints; the rest is asked at a stop on an exception,
// beside exceptionInfo.
type Exceptions struct {
	// Conditioned puts conditions to exception filters, which the adapter checks, in words of
	// its own: those that it names are sent with a condition (further ones too) in place of the
	// plain filter.
	Conditioned func(filters []string) []godap.ExceptionFilterOptions
	// StopsUncaught: the adapter stops where nobody catches an exception without being told
	// to, by a filter or otherwise.
	StopsUncaught bool

	// Details completes what exceptionInfo said (empty when the adapter has no such request)
	// with what else can be asked: causes, a message, the place.
	Details func(ctx context.Context, c Caller, thread int, said *godap.ExceptionInfoResponseBody) (*godap.ExceptionDetails, error)
	// Origin is where an exception was thrown first that a handler has thrown again where the
	// program has stopped. It is asked when the exception has been read.
	Origin func(ctx context.Context, c Caller, thread int) (Origin, error)
	// Sides are the two values of an expectation that was not met, at a stop on its failure: by
	// the fields of the error itself or by the arguments of the framework's function, never by
	// a message. None where nothing tells them.
	Sides func(ctx context.Context, c Caller, thread int) (Sides, error)
}

// Origin is where an exception was thrown first; the zero value where it was thrown where
// the program stands.
type Origin struct {
	// First are the frames of the user's through which it went then, the innermost first.
	First []Thrown `json:"first"`
	// Made is where it was made, of one that was thrown before nobody knows where.
	Made *Thrown `json:"made"`
	// Again is where it was thrown again last, of one whose first throw is shown as where
	// the program stands: First are the nearest frames of the user's there, with the lines
	// that they were at then.
	Again *Thrown `json:"again"`
	// Final says that it is no exception that could be handled, but the report of a checker in
	// the program, such as a sanitizer.
	Final bool `json:"-"`
}

// Thrown is a frame through which an exception went before it was thrown again.
type Thrown struct {
	Function string `json:"function"`
	File     string `json:"file"` // absolute
	Line     int    `json:"line"`
	Times    int    `json:"times,omitempty"` // in a row; 0 is once
}

// PlaceOf is the innermost frame that has a file, behind what is said before it; empty where
// none has.
func PlaceOf(said string, frames []Thrown) string {
	for _, f := range frames {
		if f.File != "" {
			return said + f.File + ":" + strconv.Itoa(f.Line) + " in " + f.Function
		}
	}
	return ""
}

// Sides are the two values of an expectation that was not met, as the adapter writes
// values, cut with "…". Either Expected and Actual are told or Left and Right: which is
// the expected one is known only where the framework says it.
type Sides struct {
	Expected, Actual string
	Left, Right      string
	From             string // what was read to know them, such as "the error's own fields"
	// ExpectedAt and ActualAt are which arguments of the call in the statement they are, from
	// 1; 0: nothing tells. They may be known where the values are not. Of a condition that is
	// asserted only ActualAt is known.
	ExpectedAt, ActualAt int
}

// AreKnown says that both are.
func (s Sides) AreKnown() bool {
	return s.Expected != "" && s.Actual != "" || s.Left != "" && s.Right != ""
}
