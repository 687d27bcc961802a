package judge

import (
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
)

// Sides are the two values of an expectation that was not met.
type Sides = adapters.Sides

// Comparison is what a failed statement compares, and which side is which.
type Comparison struct {
	Operands
	Order adapters.SideOrder
	// Guards says that it is the condition in front of a statement that fails because it
	// is told to.
	Guards bool
	// Asks says that it stands within a condition which the framework was given whole: what
	// the framework compares is only whether that holds.
	Asks bool
	// Made is the one side that the lines above have made by a call, where they show that
	// the other was given; empty where they do not.
	Made string
	// Given says that all that it asks was given, and did not come out of anything.
	Given bool
	// There and Nothing are of a condition that something is there: what was asked, and the word
	// for nothing that it was held against.
	There, Nothing string
}

// Actual is the expression of what came out: where the framework says which, else that
// beside which a constant stands or what was given. Empty where it may be either.
func (c Comparison) Actual() string {
	left, right := IsConstant(c.Left), IsConstant(c.Right)
	switch {
	case c.Right == "":
		return ""
	case c.Order == adapters.ActualExpected:
		return c.Left
	case c.Order == adapters.ExpectedActual:
		return c.Right
	case right && !left:
		return c.Left
	case left && !right:
		return c.Right
	}
	return c.Made
}

// Value is the value that the sides have for an expression of the comparison; empty where it
// is not one of the two.
func (c Comparison) Value(s Sides, expression string) string {
	first, second := s.Left, s.Right
	switch {
	case s.Actual != "" && c.Order == adapters.ExpectedActual:
		first, second = s.Expected, s.Actual
	case s.Actual != "" && c.Order == adapters.ActualExpected:
		first, second = s.Actual, s.Expected
	case s.Actual != "" && isSameExpression(expression, c.Whole()):
		return s.Actual
	case s.Actual != "": // nothing says which expression is which
		return ""
	}
	switch {
	case c.Right == "":
		return ""
	case isSameExpression(expression, c.Left):
		return first
	case isSameExpression(expression, c.Right):
		return second
	}
	return ""
}

// isSameExpression compares two expressions without regard to their spaces.
func isSameExpression(a, b string) bool {
	return strings.Join(strings.Fields(a), "") == strings.Join(strings.Fields(b), "")
}

// ComparisonOf is what a stop's statement compares: that of an assertion which the
// language's frameworks have, or else the condition in front of what fails because it is
// told to.
func ComparisonOf(stop Stop, above []string) Comparison {
	for _, a := range stop.Syntax.Assertions {
		if a.Call.MatchString(stop.Statement) && isRaisedBy(a, stop) {
			return madeOf(comparison(a, stop), above)
		}
	}
	if !stop.IsDeliberate() {
		return Comparison{}
	}
	if !asking.MatchString(exprsyntax.OneLine(stop.Statement)) {
		above = beforePrinted(stop.Syntax.Prints, above)
	}
	o := conditionOperands(stop.Syntax, Guard(stop.Statement, above), conditionBefore(stop.Statement, above))
	if Differs(o.Operator) && (nothings[o.Left] || nothings[o.Right]) { // that there is something, as an error, only hands it on
		return thereIs(o)
	}
	return madeOf(Comparison{Operands: o, Guards: o.Left != ""}, above)
}

// thereIs is a condition that something is there.
func thereIs(o Operands) Comparison {
	if nothings[o.Left] {
		return Comparison{There: o.Right, Nothing: o.Left}
	}
	return Comparison{There: o.Left, Nothing: o.Right}
}

// nothings are the words for nothing.
var nothings = map[string]bool{"nil": true, "null": true, "None": true, "undefined": true, "nullptr": true, "NULL": true}

func isRaisedBy(a adapters.Assertion, stop Stop) bool {
	return (a.Raised == nil || a.Raised.MatchString(stop.Type)) && (a.Said == nil || a.Said.MatchString(stop.Message))
}

// comparison is that of a statement by which a framework compares. Where several write
// their calls alike, the report says whose it is.
func comparison(first adapters.Assertion, stop Stop) Comparison {
	condition := 0
	if first.Condition {
		condition = max(1, stop.Sides.ActualAt)
	}
	o, order := Asserted(stop.Statement, condition), first.Arguments
	asks := false
	if first.Condition {
		o, asks = equalityOperands(stop.Syntax, o)
	}
	for _, a := range stop.Syntax.Assertions {
		if a.Call.MatchString(stop.Statement) && isRaisedBy(a, stop) && a.Report.MatchString(stop.Message) {
			first, order = a, a.Arguments
			break
		}
	}
	if n := len(o.Arguments); n > 2 && first.Before.MatchString(o.Arguments[0]) {
		o.Left, o.Right = o.Arguments[1], o.Arguments[2]
	}
	if at := stop.Sides; at.ExpectedAt > 0 && at.ActualAt > 0 && max(at.ExpectedAt, at.ActualAt) <= len(o.Arguments) {
		o.Left, o.Right, order = o.Arguments[at.ExpectedAt-1], o.Arguments[at.ActualAt-1], adapters.ExpectedActual
	}
	return Comparison{Operands: o, Order: order, Asks: asks}
}

// Reported are the two values in the exact report of a framework; none where the failure
// is no such report. Free text is never one.
func Reported(stop Stop, c Comparison, text string) Sides {
	if c.Worded || c.Guards {
		return Sides{}
	}
	for _, a := range stop.Syntax.Assertions {
		if a.Report == nil || !isRaisedBy(a, stop) || a.Call != nil && !a.Call.MatchString(stop.Statement) || a.Expands && c.Operator == "" {
			continue
		}
		m := a.Report.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		var values []string
		for _, group := range m[1:] {
			if group != "" {
				values = append(values, strings.TrimSpace(group))
			}
		}
		if len(values) != 2 || c.Operator != "" && strings.Contains(values[1], " "+c.Operator+" ") {
			continue // what stands between them stands in one of them too
		}
		return orderSides(values[0], values[1], a.Reports, "the framework's report")
	}
	return Sides{}
}

// Read are the two values as they were read among the parts of a comparison; none where
// one of them was not.
func Read(c Comparison, parts []Part) Sides {
	of := func(expression string) string {
		if at := first(parts, func(p Part) bool { return isSameExpression(p.Text, expression) && p.Missing == "" }); at >= 0 {
			return parts[at].Value
		}
		if IsConstant(expression) {
			return expression
		}
		return ""
	}
	left, right := of(c.Left), of(c.Right)
	if c.Right == "" || left == "" || right == "" {
		return Sides{}
	}
	return orderSides(left, right, c.Order, "the operands")
}

// orderSides gives two values, in the order in which they stand, the names that the
// order says.
func orderSides(first, second string, order adapters.SideOrder, from string) Sides {
	switch order {
	case adapters.ExpectedActual:
		return Sides{Expected: first, Actual: second, From: from}
	case adapters.ActualExpected:
		return Sides{Actual: first, Expected: second, From: from}
	}
	return Sides{Left: first, Right: second, From: from}
}
