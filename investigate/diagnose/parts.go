package diagnose

import (
	"context"
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// mostParts are shown of a statement.
const mostParts = 12

// failedStatement is the statement that has failed, as it was read where the program stands.
type failedStatement struct {
	userCode
	frame   *session.Frame
	run     int        // in which it was read
	stop    judge.Stop // the failure
	parts   []judge.Part
	callee  string                        // what the part to blame calls, as it was read there
	sides   evidence.Finding[judge.Sides] // of a comparison
	bad     int                           // the part to blame; -1: none
	culprit evidence.Finding[Culprit]
}

// readStatement reads the parts of the statement that has failed at a frame. The sides are those that
// the failure has told. No parts are found where nothing of it can be read.
func (o *outcome) readStatement(ctx context.Context, stop judge.Stop, f *session.Frame, failed statement) (failedStatement, []exprsyntax.Part, error) {
	st := failedStatement{userCode: o.userCode, frame: f, run: o.run.number, stop: stop, sides: o.r.Sides, bad: -1}
	read := st.split(failed)
	if len(read) == 0 {
		return st, nil, nil
	}
	var err error
	if st.parts, err = st.evaluate(ctx, read); err != nil {
		return st, nil, err
	}
	st.readSides()
	err = st.blame(ctx)
	return st, read, err
}

// addStatement shows the parts of the statement that failed, and those locals on which it
// depends.
func (o *outcome) addStatement(ctx context.Context, stop judge.Stop, f *session.Frame, failed statement) error {
	st, read, err := o.readStatement(ctx, stop, f, failed)
	o.statement = st
	if err != nil {
		return err
	}
	if len(read) == 0 {
		o.r.Locals = o.v.Locals
		return nil
	}
	o.r.Sides, o.r.Culprit, o.r.Parts = st.sides, st.culprit, st.telling(st.bad)
	o.r.Unread = stop.Comparison.Right != "" && !st.sides.Is() && !judge.Read(stop.Comparison, st.parts).AreKnown()
	if left := stop.Comparison.Left; st.bad < 0 && o.r.shows(left) && !judge.IsConstant(left) {
		o.r.Operand = left
	}
	names := judge.Depends(read, failed.above, o.s.Parts)
	for _, v := range o.v.Locals {
		if names[v.Name] && !o.r.shows(v.Name) && !o.isMeaningless(v.Untyped()) {
			o.r.Locals = append(o.r.Locals, v)
		}
	}
	return nil
}

// blame finds the part that explains the failure.
func (st *failedStatement) blame(ctx context.Context) error {
	var why string
	if st.bad, why = judge.Culprit(st.stop, st.parts); st.bad < 0 {
		return nil
	}
	p := st.parts[st.bad]
	if err := st.readCallee(ctx, p); err != nil {
		return err
	}
	c := Culprit{Expression: p.Text, Value: st.culpritValue(p), Why: why}
	st.culprit = evidence.On(c, st.seen(c.Expression, c.Value))
	return nil
}

// seen is something that was read at the statement.
func (st *failedStatement) seen(what, value string) evidence.Observation {
	return seenAt(st.run, st.frame, what, value)
}

// readCallee reads what a part that is a call calls: a function that was handed over goes by
// another name where it was written.
func (st *failedStatement) readCallee(ctx context.Context, p judge.Part) error {
	whole, _ := judge.Callee(p.Text)
	if p.Missing == "" || whole == "" || !st.s.OnlyReads(whole) {
		return nil
	}
	v, err := st.s.Stopped().Evaluate(ctx, whole, 0, st.frame.Index, session.Page{})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		st.callee = v.Untyped()
	}
	return nil
}

// split returns the parts of the statement, and of the condition in front of it,
// where the statement runs because that holds. Names that the statement itself declares
// are not the frame's.
func (st *failedStatement) split(failed statement) []exprsyntax.Part {
	read := st.s.Parts(failed.text)
	if c := st.stop.Comparison; c.Guards {
		condition := c.Left
		if c.Right != "" {
			condition += " " + c.Operator + " " + c.Right
		}
		for _, p := range slices.Backward(st.s.Parts(condition)) {
			read = slices.DeleteFunc(read, func(o exprsyntax.Part) bool { return o.Text == p.Text })
			read = slices.Insert(read, 0, p)
		}
	}
	bound := judge.Bound(failed.text)
	if st.syntax.Inner.MatchString(st.frame.Function) { // it is the frame of what has bound them
		return read
	}
	return slices.DeleteFunc(read, func(p exprsyntax.Part) bool { return bound[judge.Root(p.Text)] })
}

// readSides takes what was read of the operands of a comparison for its sides, where
// nothing has told them better.
func (st *failedStatement) readSides() {
	c := st.stop.Comparison
	reported, known := st.sides.Get()
	holds := reported.Actual != "" && c.Order == adapters.Unlabelled && c.Operator != "" // the framework tells only whether it does
	if known && !holds || c.Guards && !judge.Differs(c.Operator) {
		return
	}
	if sides := judge.Read(c, st.parts); sides.AreKnown() {
		st.sides = evidence.On(sides, st.seen(c.Left, sides.Left+sides.Actual), st.seen(c.Right, sides.Right+sides.Expected))
	}
}

// culpritValue is the value of the culprit: that of an expectation's call is told by its
// sides only.
func (st *failedStatement) culpritValue(p judge.Part) string {
	if p.Missing == "" {
		return p.Value
	}
	sides, _ := st.sides.Get()
	return st.stop.Comparison.Value(sides, p.Text)
}

// evaluate gives the parts the values that they have in a frame. What would make a
// call again has none, and what the frame does not know is no part.
func (st *failedStatement) evaluate(ctx context.Context, read []exprsyntax.Part) ([]judge.Part, error) {
	var parts []judge.Part
	for _, p := range read[:min(len(read), 2*mostParts)] {
		p.Text = st.syntax.Erased.ReplaceAllString(p.Text, "$1")
		evaluated, known, err := st.isEvaluated(ctx, p)
		if err != nil {
			return nil, err
		}
		if known && !evaluated {
			continue
		}
		part := judge.Part{Part: p, Missing: "it is a call, and is not made again", Unsure: !known}
		if !p.Calls && (st.s.Peeks() || st.s.OnlyReads(p.Text)) {
			v, err := st.s.Stopped().Evaluate(adapters.WithReading(ctx), p.Text, 0, st.frame.Index, session.Page{})
			if err != nil && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err != nil && p.Use != exprsyntax.Plain || err == nil && v.Value == "" {
				continue
			}
			part.Value, part.Missing = v.Untyped(), ""
			part.Count, part.Counted = st.countElements(ctx, p, v)
			if err != nil {
				part.Value, part.Missing = "", "it has none"
			}
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// countElements counts the elements of a value of which the statement takes one. Some
// debuggers tell the number only with the first element.
func (st *failedStatement) countElements(ctx context.Context, p exprsyntax.Part, v session.Variable) (n int, known bool) {
	if p.Use != exprsyntax.Indexed || v.Count > 0 || v.Ref == 0 {
		return v.Count, v.Count > 0 || v.Ref != 0
	}
	opened, err := st.s.Stopped().Evaluate(ctx, p.Text, 0, st.frame.Index, session.Page{Count: 1})
	if err != nil {
		return 0, false
	}
	return opened.ChildTotal, true
}

// telling are the parts worth showing: those with a value, and the one that is to
// blame, which is marked.
func (st *failedStatement) telling(bad int) []judge.Part {
	var list []judge.Part
	for i, p := range st.parts {
		p.Bad = i == bad
		if !p.Bad && (p.Use == exprsyntax.Called || p.Missing != "" || st.isMeaningless(p.Value)) {
			continue
		}
		if value := st.culpritValue(p); p.Bad && value != "" {
			p.Value, p.Missing = value, ""
		}
		if len(list) < mostParts || p.Bad {
			list = append(list, p)
		}
	}
	return list
}
