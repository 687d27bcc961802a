//go:build linux

package benchmarks

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// truth is what is true of a program, found out without the server.
type truth struct {
	OK       bool     // it ends well
	Verdicts []string // those that say how it fails
	Places   []string // the lines that fail, as FILE:LINE; several where a statement has several; none: not known
	Raised   string   // what was raised, as the message must name it
	Message  string   // what the message must have, too
	Sides    *sides   // of the assertion that fails
	Values   map[string]string
}

// sides are what a failed assertion compares.
type sides struct {
	Left, Right side
	Expected    string // "left" or "right" where the framework's signature says so
}

// side is an expression and its value.
type side struct {
	Expression, Value string
	Literal           bool // the code itself shows the value
}

// answer is what diagnose said, as far as it is scored.
type answer struct {
	Verdict  string  `json:"verdict"`
	Message  string  `json:"message"`
	Location string  `json:"location"`
	Culprit  *part   `json:"culprit"`
	Parts    []part  `json:"parts"`
	Expected string  `json:"expected"`
	Actual   string  `json:"actual"`
	Left     string  `json:"left"`
	Right    string  `json:"right"`
	Frames   []frame `json:"frames"`
	Calls    *struct {
		Rows [][]string `json:"rows"`
	} `json:"calls"`
}

type part struct {
	Expression string `json:"expression"`
	Value      string `json:"value"`
}

type frame struct {
	At        string            `json:"at"`
	Arguments map[string]string `json:"arguments"`
}

// grade is how a reply is scored.
type grade string

const (
	right   grade = "RIGHT"
	partly  grade = "PARTLY"
	unknown grade = "HONEST NO"
	wrong   grade = "FALSE"
)

// verdict collects what is to be said about a reply.
type verdict struct {
	False   []string
	Missing []string
}

func (v *verdict) lie(format string, args ...any) {
	v.False = append(v.False, fmt.Sprintf(format, args...))
}
func (v *verdict) lack(format string, args ...any) {
	v.Missing = append(v.Missing, fmt.Sprintf(format, args...))
}

// score holds a reply against what is true. A reply that says nothing is an honest no.
func (t truth) score(a answer) (grade, []string) {
	if a.Verdict == "" {
		return unknown, nil
	}
	var v verdict
	t.ending(a, &v)
	if !t.OK {
		t.place(a, &v)
		t.message(a, &v)
		t.values(a, &v)
		t.compared(a, &v)
	}
	switch {
	case len(v.False) > 0:
		return wrong, v.False
	case t.undecided(a):
		return unknown, []string{"whether it comes to an end"}
	case len(v.Missing) > 0:
		return partly, v.Missing
	}
	return right, nil
}

func (t truth) ending(a answer, v *verdict) {
	if t.OK {
		if a.Verdict != "ok" {
			v.lie("the program ends well, the verdict is %s", a.Verdict)
		}
		return
	}
	if !slices.Contains(t.Verdicts, a.Verdict) && !t.undecided(a) {
		v.lie("the verdict is %s, not %s", a.Verdict, strings.Join(t.Verdicts, " or "))
	}
}

// undecided says that a program which never ends was cut, and that no more is said of it.
func (t truth) undecided(a answer) bool {
	return a.Verdict == "cut" && slices.Contains(t.Verdicts, "busy_loop")
}

func (t truth) place(a answer, v *verdict) {
	switch {
	case len(t.Places) == 0:
	case a.Location == "":
		v.lack("no place, it is %s", t.Places[0])
	case !slices.ContainsFunc(t.Places, func(at string) bool { return a.Location == at || strings.HasSuffix(a.Location, "/"+at) }):
		v.lie("the place is %s, not %s", t.Places[0], a.Location)
	}
}

func (t truth) message(a answer, v *verdict) {
	if t.Raised != "" && !strings.Contains(a.Message, t.Raised) {
		v.lie("%s was raised, the message is %q", t.Raised, a.Message)
	}
	if !strings.Contains(plain(a.Message), plain(t.Message)) {
		v.lack("the message %q is not told, but %q", t.Message, a.Message)
	}
}

// values looks at each expression whose value is known.
func (t truth) values(a answer, v *verdict) {
	said := slices.Clone(a.Parts)
	if a.Culprit != nil {
		said = append(said, *a.Culprit)
	}
	if len(a.Frames) > 0 {
		for name, value := range a.Frames[0].Arguments {
			said = append(said, part{name, value})
		}
	}
	for _, p := range said {
		if want, known := t.Values[plain(p.Expression)]; known && isValue(p.Value) && !same(p.Value, want) {
			v.lie("%s is %s, not %s", p.Expression, want, p.Value)
		}
	}
}

// compared looks at the two sides of an assertion.
func (t truth) compared(a answer, v *verdict) {
	s := t.Sides
	if s == nil {
		return
	}
	for _, of := range []struct {
		name, said string
		is         side
	}{
		{"left", a.Left, s.Left}, {"right", a.Right, s.Right},
		{"expected", a.Expected, s.of(true)}, {"actual", a.Actual, s.of(false)},
	} {
		if isValue(of.said) && of.is.Expression != "" && !same(of.said, of.is.Value) {
			v.lie("%s is %s, not %s", of.name, of.is.Value, of.said)
		}
	}
	if s.Expected == "" && (isValue(a.Expected) || isValue(a.Actual)) {
		s.either(a, v)
	}
	for _, side := range []side{s.Left, s.Right} {
		if !side.Literal && !side.told(a) {
			v.lack("the value of %s is not told, it is %s", side.Expression, side.Value)
		}
	}
}

// either is for what does not say itself which side is the expected one: as long as the
// values are those of the two sides, it may be called so.
func (s *sides) either(a answer, v *verdict) {
	for _, said := range []string{a.Expected, a.Actual} {
		if isValue(said) && !same(said, s.Left.Value) && !same(said, s.Right.Value) {
			v.lie("neither side is %s", said)
		}
	}
}

// of is the expected or the actual side, empty where nothing says which that is.
func (s *sides) of(expected bool) side {
	switch {
	case s.Expected == "":
		return side{}
	case (s.Expected == "left") == expected:
		return s.Left
	}
	return s.Right
}

// told says that a reply has the value of a side.
func (s side) told(a answer) bool {
	values := []string{a.Left, a.Right, a.Expected, a.Actual}
	said := slices.Clone(a.Parts)
	if a.Culprit != nil {
		said = append(said, *a.Culprit)
	}
	for _, p := range said {
		if plain(p.Expression) == plain(s.Expression) {
			values = append(values, p.Value)
		}
	}
	return slices.ContainsFunc(values, func(value string) bool { return isValue(value) && same(value, s.Value) })
}

// isValue tells a value from nothing, and from words that say why there is none.
func isValue(text string) bool {
	return text != "" && !strings.HasPrefix(text, "(it is a call") && !strings.Contains(text, "not readable")
}

var (
	blanks    = regexp.MustCompile("[\\s\\\\'\"`]+")
	addresses = regexp.MustCompile(`0x[0-9a-f]+`)
)

// cut is where a value is shortened, as aidb-mcp does it and pytest.
var cut = regexp.MustCompile(`…|\.\.\.`)

// inOrder says that a value has all that is left of a shortened one: the first piece where
// it begins, the last one where it ends, unless that is not known.
func inOrder(pieces []string, value string, open bool) bool {
	rest, begins := strings.CutPrefix(value, pieces[0])
	for _, piece := range pieces[1:] {
		at := strings.Index(rest, piece)
		if at < 0 {
			return open && begins
		}
		rest = rest[at+len(piece):]
	}
	return begins && (open || strings.HasSuffix(value, pieces[len(pieces)-1]))
}

// longest is how much of a value lab.py tells.
const longest = 400

// plain is a text without what languages and frameworks write in different ways.
func plain(text string) string {
	return addresses.ReplaceAllString(blanks.ReplaceAllString(text, ""), "0x")
}

// same says that a value that is shown, shortened perhaps, is the true one.
func same(shown, want string) bool {
	a, b := plain(shown), plain(want)
	if cut.MatchString(a) && !strings.Contains(b, "...") {
		return inOrder(cut.Split(a, -1), b, len(want) >= longest)
	}
	if len(want) >= longest { // that one is cut, too
		return strings.HasPrefix(a, b[:min(len(b), 200)])
	}
	if x, err := strconv.ParseFloat(a, 64); err == nil {
		if y, err := strconv.ParseFloat(b, 64); err == nil {
			return x == y
		}
	}
	return a == b
}
