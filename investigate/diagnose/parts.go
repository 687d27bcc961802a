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

// addParts shows the parts of the statement that failed, and those locals on which it
// depends.
func (x *examination) addParts(ctx context.Context, stop judge.Stop, f *session.Frame, failed statement) error {
	read := x.splitParts(stop, failed)
	if len(read) == 0 {
		x.r.Locals = x.v.Locals
		return nil
	}
	parts, err := x.evaluateParts(ctx, f, read)
	if err != nil {
		return err
	}
	x.stop, x.parts = stop, parts
	x.setSides()
	x.r.Unread = stop.Comparison.Right != "" && !x.r.Sides.Is() && !judge.Read(stop.Comparison, parts).AreKnown()
	bad, why := judge.Culprit(stop, parts)
	x.r.Parts = x.tellingParts(bad)
	if bad >= 0 {
		if err := x.readCallee(ctx, f, parts[bad]); err != nil {
			return err
		}
		x.setCulprit(Culprit{Expression: parts[bad].Text, Value: x.culpritValue(parts[bad]), Why: why})
	}
	if left := stop.Comparison.Left; bad < 0 && x.isPart(left) && !judge.IsConstant(left) {
		x.r.Operand = left
	}
	names := judge.Depends(read, failed.above, x.s.Parts)
	for _, v := range x.v.Locals {
		if names[v.Name] && !x.isPart(v.Name) && !x.isMeaningless(v.Untyped()) {
			x.r.Locals = append(x.r.Locals, v)
		}
	}
	return nil
}

// readCallee reads what a part that is a call calls: a function that was handed over goes by
// another name where it was written.
func (x *examination) readCallee(ctx context.Context, f *session.Frame, p judge.Part) error {
	whole, _ := judge.Callee(p.Text)
	if p.Missing == "" || whole == "" || !x.s.OnlyReads(whole) {
		return nil
	}
	v, err := x.s.Stopped().Evaluate(ctx, whole, 0, f.Index, session.Page{})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		x.callee = v.Untyped()
	}
	return nil
}

// splitParts returns the parts of the statement, and of the condition in front of it,
// where the statement runs because that holds. Names that the statement itself declares
// are not the frame's.
func (x *examination) splitParts(stop judge.Stop, failed statement) []exprsyntax.Part {
	read := x.s.Parts(failed.text)
	if c := stop.Comparison; c.Guards {
		condition := c.Left
		if c.Right != "" {
			condition += " " + c.Operator + " " + c.Right
		}
		for _, p := range slices.Backward(x.s.Parts(condition)) {
			read = slices.DeleteFunc(read, func(o exprsyntax.Part) bool { return o.Text == p.Text })
			read = slices.Insert(read, 0, p)
		}
	}
	bound := judge.Bound(failed.text)
	if f := x.v.Frame; f != nil && x.syntax.Inner.MatchString(f.Function) { // it is the frame of what has bound them
		return read
	}
	return slices.DeleteFunc(read, func(p exprsyntax.Part) bool { return bound[judge.Root(p.Text)] })
}

// setSides takes what was read of the operands of a comparison for its sides, where
// nothing has told them better.
func (x *examination) setSides() {
	c := x.stop.Comparison
	told, known := x.r.Sides.Get()
	holds := told.Actual != "" && c.Order == adapters.Unlabelled && c.Operator != "" // the framework tells only whether it does
	if known && !holds || c.Guards && !judge.Differs(c.Operator) {
		return
	}
	if sides := judge.Read(c, x.parts); sides.AreKnown() {
		x.r.Sides = evidence.On(sides, x.stopSeen(c.Left, sides.Left+sides.Actual), x.stopSeen(c.Right, sides.Right+sides.Expected))
	}
}

// setCulprit makes a part the culprit, as it was read where the failure has stopped the
// program.
func (x *examination) setCulprit(c Culprit) {
	x.r.Culprit = evidence.On(c, x.stopSeen(c.Expression, c.Value))
}

// culpritValue is the value of the culprit: that of an expectation's call is told by its
// sides only.
func (x *examination) culpritValue(p judge.Part) string {
	if p.Missing == "" {
		return p.Value
	}
	sides, _ := x.r.Sides.Get()
	return x.stop.Comparison.Value(sides, p.Text)
}

// isPart says that a variable is shown already: as a part of the statement, or as an
// argument of the function.
func (x *examination) isPart(name string) bool {
	return len(x.r.Frames) > 0 && slices.ContainsFunc(x.r.Frames[0].Arguments, func(a Argument) bool { return a.Name == name }) ||
		slices.ContainsFunc(x.r.Parts, func(p judge.Part) bool { return p.Text == name })
}

// evaluateParts gives the parts the values that they have in a frame. What would make a
// call again has none, and what the frame does not know is no part.
func (x *examination) evaluateParts(ctx context.Context, f *session.Frame, read []exprsyntax.Part) ([]judge.Part, error) {
	var parts []judge.Part
	for _, p := range read[:min(len(read), 2*mostParts)] {
		p.Text = x.syntax.Erased.ReplaceAllString(p.Text, "$1")
		evaluated, known, err := x.isEvaluated(ctx, f, p)
		if err != nil {
			return nil, err
		}
		if known && !evaluated {
			continue
		}
		part := judge.Part{Part: p, Missing: "it is a call, and is not made again", Unsure: !known}
		if !p.Calls && (x.s.Peeks() || x.s.OnlyReads(p.Text)) {
			v, err := x.s.Stopped().Evaluate(adapters.WithReading(ctx), p.Text, 0, f.Index, session.Page{})
			if err != nil && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err != nil && p.Use != exprsyntax.Plain || err == nil && v.Value == "" {
				continue
			}
			part.Value, part.Missing = v.Untyped(), ""
			part.Count, part.Counted = x.countElements(ctx, p, v, f.Index)
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
func (x *examination) countElements(ctx context.Context, p exprsyntax.Part, v session.Variable, frame int) (n int, known bool) {
	if p.Use != exprsyntax.Indexed || v.Count > 0 || v.Ref == 0 {
		return v.Count, v.Count > 0 || v.Ref != 0
	}
	opened, err := x.s.Stopped().Evaluate(ctx, p.Text, 0, frame, session.Page{Count: 1})
	if err != nil {
		return 0, false
	}
	return opened.ChildTotal, true
}

// tellingParts are the parts worth showing: those with a value, and the one that is to
// blame, which is marked.
func (x *examination) tellingParts(bad int) []judge.Part {
	var list []judge.Part
	for i, p := range x.parts {
		p.Bad = i == bad
		if !p.Bad && (p.Use == exprsyntax.Called || p.Missing != "" || x.isMeaningless(p.Value)) {
			continue
		}
		if value := x.culpritValue(p); p.Bad && value != "" {
			p.Value, p.Missing = value, ""
		}
		if len(list) < mostParts || p.Bad {
			list = append(list, p)
		}
	}
	return list
}
