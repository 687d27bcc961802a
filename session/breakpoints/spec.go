package breakpoints

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Kind tells breakpoints apart.
type Kind string

// The kinds of breakpoints: on a line, on the entry of a function, on the
// memory of a variable.
const (
	Line     Kind = "line"
	Function Kind = "function"
	Watch    Kind = "watch"
)

// Spec is what somebody asked for.
type Spec struct {
	Kind       Kind
	File       string // absolute; of a function breakpoint the file that it was asked for in, if any
	Line       int    // asked, from 1
	Column     int    // 0: anywhere on the line
	Function   string
	Expression string // watched
	Access     string // of a watch: write, read, readWrite
	DataID     string // of a watch: how the adapter names its memory

	Condition    Expression
	HitCondition string // checked by ParseHit
	LogMessage   string // empty: it stops
	Show         []Expression

	Temporary bool   // of run_until: gone after the next stop
	Where     string // of run_until: the location as it was written
	Entry     bool   // stands in for a stop on entry
}

// Plain says that nothing but the place is asked for.
func (w Spec) Plain() bool {
	return w.Condition.Text == "" && w.HitCondition == "" && w.LogMessage == ""
}

// samePlace says that two specs name the same place.
func (w Spec) samePlace(o Spec) bool {
	if w.Kind != o.Kind {
		return false
	}
	switch w.Kind {
	case Function:
		return w.Function == o.Function && w.File == o.File
	case Watch:
		return w.DataID == o.DataID
	}
	return w.File == o.File && w.Line == o.Line && w.Column == o.Column
}

// sameExtras says that two specs ask for the same beyond their place.
func (w Spec) sameExtras(o Spec) bool {
	return w.Condition == o.Condition && w.HitCondition == o.HitCondition && w.LogMessage == o.LogMessage && slices.Equal(w.Show, o.Show)
}

// Expression is an expression of the program's language, and the frame in which
// it is meant: 0 is where the program stops, 1 the caller, and so on.
type Expression struct {
	Text  string
	Frame int
}

var framed = pattern.New(`^@(\d{1,2})\s+(\S.*)$`)

// ParseExpression reads "expr", or "@1 expr" for the caller's frame.
func ParseExpression(text string) Expression {
	text = strings.TrimSpace(text)
	if m := framed.FindStringSubmatch(text); m != nil {
		frame, _ := strconv.Atoi(m[1])
		return Expression{Text: m[2], Frame: frame}
	}
	return Expression{Text: text}
}

// String writes an expression as ParseExpression reads it.
func (e Expression) String() string {
	if e.Frame == 0 {
		return e.Text
	}
	return fmt.Sprintf("@%d %s", e.Frame, e.Text)
}

// namesCaller says whether a log message names a frame other than the one that stops.
func namesCaller(message string) bool {
	return slices.ContainsFunc(MessageParts(message), func(p Part) bool { return p.Expression.Frame > 0 })
}

// Part is a piece of a log message: text as it is, or an expression to fill in.
type Part struct {
	Text       string
	Expression Expression // empty: Text is meant
}

// MessageParts splits a log message at its {expressions}. Braces nest, so that a
// dictionary or a block may stand in an expression; one that is never closed is text.
func MessageParts(message string) []Part {
	var parts []Part
	for message != "" {
		open := strings.IndexByte(message, '{')
		end := closingBrace(message, open)
		if open < 0 || end < 0 {
			return append(parts, Part{Text: message})
		}
		if open > 0 {
			parts = append(parts, Part{Text: message[:open]})
		}
		if e := ParseExpression(message[open+1 : end]); e.Text == "" {
			parts = append(parts, Part{Text: message[open : end+1]})
		} else {
			parts = append(parts, Part{Expression: e})
		}
		message = message[end+1:]
	}
	return parts
}

// closingBrace is the index of the brace that closes the one at open, -1 when none does.
func closingBrace(text string, open int) int {
	if open < 0 {
		return -1
	}
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

var hitGrammar = pattern.New(`^\s*(==|>=|<=|>|<|%)?\s*([0-9]{1,9})\s*$`)

// ParseHit reads a hit condition: an operator and a count from 1. A plain
// number means exactly that hit.
func ParseHit(s string) (op string, n int, ok bool) {
	m := hitGrammar.FindStringSubmatch(s)
	if m == nil {
		return "", 0, false
	}
	n, err := strconv.Atoi(m[2])
	if op = m[1]; op == "" {
		op = "=="
	}
	return op, n, err == nil && n > 0
}

// isHitSatisfied says whether the n-th hit satisfies a hit condition.
func isHitSatisfied(condition string, n int) bool {
	op, want, ok := ParseHit(condition)
	switch {
	case !ok:
		return true
	case op == "==":
		return n == want
	case op == ">":
		return n > want
	case op == ">=":
		return n >= want
	case op == "<":
		return n < want
	case op == "<=":
		return n <= want
	}
	return n%want == 0
}
