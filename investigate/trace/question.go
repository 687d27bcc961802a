// Package trace runs a program under a recorder and lays what was noted out as a table:
// of one run, or of two and where they part.
package trace

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/session"
	"aidb-mcp/session/breakpoints"
)

// What a trace can be of.
const (
	Values = "values" // expressions at each pass of a line
	Writes = "writes" // assignments to what an expression names
	Calls  = "calls"  // with arguments and results
	Lines  = "lines"  // of one call
	First  = "first"  // the moment at which a condition comes to hold
)

// Question is what is to be seen of a run.
type Question struct {
	Subject *session.Session // whose start is made again
	What    string

	Location    string   // of Values and Writes
	Expressions []string // of Values, Lines and First
	Scope       []string // of First: functions, files, places; empty: all of the user's code
	Condition   string   // of Values, Lines and First; of First against another run any expression
	Expression  string   // of Writes
	Functions   []string // of Calls
	Function    string   // of Lines
	Call        int      // of Lines: the n-th

	Limit   int              // rows
	Against *session.Against // what differs in a second run; nil: there is none
	Timeout time.Duration
}

// endRows is how many of the first and of the last writes of a run are enough to lay out: of
// equal ones in sequence one row is made.
const endRows = 2000

// newSpec says what the recorder is to note.
func (q Question) newSpec() (recording.Spec, error) {
	w := recording.Spec{Text: recorded.LongestText}
	switch q.What {
	case Values:
		if err := cmp.Or(q.checkNeeds("location", q.Location != "", `"location":"calc.py:12"`), q.checkNeeds("expressions", len(q.Expressions) > 0, `"expressions":["total"]`)); err != nil {
			return w, err
		}
		file, line, err := q.Subject.LineAt(q.Location)
		if err != nil {
			return w, err
		}
		texts, frames := splitFrames(q.Expressions)
		w.Values = []recording.Values{{File: file, Line: line, Condition: q.Condition, Expressions: texts, Frames: frames}}
	case Calls:
		if err := q.checkNeeds("functions", len(q.Functions) > 0, `"functions":["calc.*"]`); err != nil {
			return w, err
		}
		w.Calls = &recording.Calls{Names: q.Functions}
	case Lines:
		if err := q.checkNeeds("function", q.Function != "", `"function":"average","call":3`); err != nil {
			return w, err
		}
		w.Lines = &recording.Lines{Function: q.Function, Call: q.Call, Condition: q.Condition, Expressions: q.Expressions}
	case First:
		if err := q.checkNeeds("condition", q.Condition != "", `"condition":"self.size < 0","scope":["cache.py"]`); err != nil {
			return w, err
		}
		scope, err := q.absoluteScope()
		if err != nil {
			return w, err
		}
		w.First = &recording.First{Condition: q.Condition, Scope: scope, Expressions: q.Expressions, Limit: int64(q.Limit)}
		if err := q.setEach(w.First); err != nil {
			return w, err
		}
		if q.Against != nil {
			w.First.Changes, w.First.Limit = true, recording.Unlimited
		}
	case Writes:
		if err := q.checkNeeds("expression", q.Expression != "", `"expression":"order.total","location":"shop.py:40"`); err != nil {
			return w, err
		}
		w.Writes = &recording.Writes{Expression: q.Expression}
		if q.Against == nil {
			w.Writes.Ends = endRows
			if q.Subject.EndsAgain() {
				w.Writes.Sparse = &recording.Sparse{First: q.Subject.CheapEvents(), From: recording.Unlimited}
			}
		}
		if q.Location != "" {
			file, line, err := q.Subject.LineAt(q.Location)
			if err != nil {
				return w, err
			}
			w.Writes.File, w.Writes.Line = file, line
			if q.namesPart() {
				w.Writes.Part, w.Values = true, []recording.Values{{File: file, Line: line, Expressions: []string{q.Expression}, Places: true}}
			}
		}
	}
	return w, nil
}

// absoluteScope is the scope of First, with absolute paths where it names places.
func (q Question) absoluteScope() ([]string, error) {
	scope := slices.Clone(q.Scope)
	for i, part := range scope {
		if _, line := recording.FileLine(part); line == 0 {
			continue
		}
		file, line, err := q.Subject.LineAt(part)
		if err != nil {
			return nil, scopeError(err)
		}
		scope[i] = fmt.Sprintf("%s:%d", file, line)
	}
	return scope, nil
}

// scopeError names the parameter whose place is wrong.
func scopeError(err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		f.Field = "scope"
	}
	return err
}

// checkNeeds returns the error of a parameter that is missing and that this kind of
// trace needs.
func (q Question) checkNeeds(name string, there bool, example string) error {
	if there {
		return nil
	}
	return fault.New(fault.MissingParam, "trace(%s) needs %s", q.What, name).WithField(name).WithHint("for example %s", example)
}

// splitFrames takes the frames off expressions: "@1 x" is x of the caller. No frames: all are
// of the function itself.
func splitFrames(expressions []string) (texts []string, frames []int) {
	texts, frames = make([]string, len(expressions)), make([]int, len(expressions))
	for i, e := range expressions {
		read := breakpoints.ParseExpression(e)
		texts[i], frames[i] = read.Text, read.Frame
	}
	if slices.Max(frames) == 0 {
		frames = nil
	}
	return texts, frames
}
