package judge

import (
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/internal/text/pattern"
)

// Led are those events of a recorded run that tell of the calls which led to a failure.
// Calls that made an object say less than the object does, and those that the failure
// went through, or that it was in, are the frames where it stopped the program: shown
// says that there are such. Failure is its message; empty: it was none that is raised.
func Led(syntax adapters.FailureSyntax, events []recording.Event, failure string, shown bool) []recording.Event {
	ends := map[int64]recording.Event{}
	for _, e := range events {
		if e.Kind == recording.Leave {
			ends[e.Call] = e
		}
	}
	left := map[int64]bool{}
	for _, e := range events {
		if e.Kind != recording.Enter {
			continue
		}
		end, ended := ends[e.Call]
		through := shown && (!ended || end.Raised && (SameFailure(raisedText(end), failure) || raisedText(end) == "runtime.Goexit"))
		left[e.Call] = through || !end.Raised && syntax.Makes != nil && syntax.Makes(e.Function, raisedText(end))
	}
	return slices.DeleteFunc(slices.Clone(events), func(e recording.Event) bool { return left[e.Call] })
}

// Recurs says that a recorded run has failed as the one before it did.
func Recurs(events []recording.Event, failure string) bool {
	return slices.ContainsFunc(events, func(e recording.Event) bool {
		return e.Kind == recording.Leave && e.Raised && SameFailure(raisedText(e), failure)
	})
}

// EndsIn says that a recorded run ended within a call of a function, as a debugger names
// that: some recorders see no exception that nobody catches.
func EndsIn(events []recording.Event, function string) bool {
	open := map[int64]string{}
	for _, e := range events {
		switch e.Kind {
		case recording.Enter:
			open[e.Call] = e.Function
		case recording.Leave:
			delete(open, e.Call)
		}
	}
	for _, name := range open {
		if rest, same := strings.CutPrefix(function, name); same && (rest == "" || rest[0] == '(') {
			return true
		}
	}
	return false
}

// SameFailure compares what a recorder and a debugger say of an exception: one may leave
// out the type, or the end.
func SameFailure(a, b string) bool {
	a, restA := plainMessage(a)
	b, restB := plainMessage(b)
	return a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a)) && isSameRest(restA, restB)
}

// plainMessage is the first line of a message, and the others.
func plainMessage(text string) (first string, rest []string) {
	if words, err := strconv.Unquote(text); err == nil { // a recorder may show words as the value of a text
		text = words
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		rest = append(rest, strings.TrimRight(Alike(strings.TrimSpace(line)), ".…: "))
	}
	return rest[0], rest[1:]
}

// isSameRest compares further lines of two messages, where both have as many: the last one may be cut.
func isSameRest(a, b []string) bool {
	if len(a) != len(b) || len(a) == 0 {
		return true
	}
	last := len(a) - 1
	return slices.Equal(a[:last], b[:last]) && (strings.HasPrefix(a[last], b[last]) || strings.HasPrefix(b[last], a[last]))
}

func raisedText(e recording.Event) string {
	if len(e.Values) == 0 {
		return ""
	}
	return e.Values[0].Text
}

// Returned is the event in which the last call of a function from a place gave its result,
// as a recorded run has seen it; nil where it has seen none.
func Returned(events []recording.Event, function, at string) *recording.Event {
	asked := map[int64]bool{}
	var result *recording.Event
	for i := range events {
		switch e := &events[i]; {
		case e.Kind == recording.Enter && lastName(e.Function) == function && CalledFrom(*e, at):
			asked[e.Call] = true
		case e.Kind == recording.Leave && asked[e.Call] && !e.Raised && len(e.Values) == 1 && e.Values[0].Error == "":
			result = e
		}
	}
	return result
}

// GaveNothing is the first part whose call gave nothing where something was wanted of it,
// and what it gave, as a recorded run has seen it; -1 where the failure is of another kind,
// or none did.
func GaveNothing(stop Stop, parts []Part, events []recording.Event, at string) (part int, gave *recording.Event) {
	if KindOf(stop) != adapters.NothingThere {
		return -1, nil
	}
	part = first(parts, func(p Part) bool {
		if !p.Calls || p.Use == exprsyntax.Plain || callOf(p.Text) == "" {
			return false
		}
		gave = Returned(events, callOf(p.Text), at)
		return gave != nil && stop.IsNone(raisedText(*gave))
	})
	return part, gave
}

var callee = pattern.New(`^(?:await\s+)?((?:[\pL_$][\pL\pN_$]*(?:\.|::|->))*)([\pL_$][\pL\pN_$]*)$`)

// Callee is what an expression that is one call, no part of anything else, calls: all of
// it, and the name of the function in it. It is empty where the expression is another.
func Callee(expression string) (whole, name string) {
	for i := range len(expression) {
		if expression[i] != '(' || closingBracket(expression, i) != len(expression)-1 {
			continue
		}
		if m := callee.FindStringSubmatch(strings.TrimSpace(expression[:i])); m != nil {
			return m[1] + m[2], m[2]
		}
		return "", ""
	}
	return "", ""
}

// GaveUnder is the event in which a call gave its result whose function goes by another
// name where it is called: value is what that name was there, which names a function that
// was called from that place.
func GaveUnder(syntax adapters.FailureSyntax, events []recording.Event, value, at string) *recording.Event {
	if value == "" || !IsOpaque(syntax, value) {
		return nil
	}
	meant := ""
	for _, e := range events {
		name := lastName(e.Function)
		if e.Kind != recording.Enter || !CalledFrom(e, at) || name == meant || !hasWord(value, name) {
			continue
		}
		if meant != "" {
			return nil // which of them it is cannot be told
		}
		meant = name
	}
	if meant == "" {
		return nil
	}
	return Returned(events, meant, at)
}

// CalledFrom says that a call was made from a place, "file:line".
func CalledFrom(e recording.Event, at string) bool {
	return len(e.Stack) > 0 && strings.HasSuffix(e.Stack[0], " "+at)
}

// NamesFrom are those that a place has called itself.
func NamesFrom(events []recording.Event, at string) map[string]bool {
	return Names(slices.DeleteFunc(slices.Clone(events), func(e recording.Event) bool { return !CalledFrom(e, at) }))
}

// Member is the name of the member that an expression ends in, which may be worked out by a call;
// empty where it ends in none.
func Member(expression string) string {
	name := lastName(expression)
	if before := strings.TrimSuffix(expression, name); name != "" && (strings.HasSuffix(before, ".") || strings.HasSuffix(before, "->")) {
		return name
	}
	return ""
}

// Names are the last names of the functions that a recorded run has called.
func Names(events []recording.Event) map[string]bool {
	names := map[string]bool{}
	for _, e := range events {
		if e.Kind == recording.Enter {
			names[lastName(e.Function)] = true
		}
	}
	return names
}

// lastName is "find" of "main.(*Shop).find".
func lastName(function string) string {
	return function[strings.LastIndexFunc(function, func(c rune) bool { return !isWordRune(c) })+1:]
}

// Exit is how a program came to end itself.
type Exit struct {
	At     Where  // the call that ended it; none where that is not known
	Caught string // the last exception before that the program has caught
	Raised Where  // where that came from
	Thread string // in which it was raised
}

// Where is a place in a function.
type Where struct {
	File     string
	Line     int
	Function string
}

// WhereOf is a place as a recorder writes it, "file:line".
func WhereOf(function, at string) Where {
	w := Where{Function: function}
	w.File, w.Line = recording.FileLine(at)
	return w
}

var exits = pattern.New(`^SystemExit\b`)

// ExitOf reads how a program came to end itself from a recorded run.
func ExitOf(events []recording.Event) Exit {
	var exit Exit
	for _, e := range events {
		if e.Kind != recording.Leave || !e.Raised {
			continue
		}
		text, in := raisedText(e), WhereOf(e.Function, e.At)
		if len(e.Stack) > 0 {
			in = WhereOf(recording.Caller(e.Stack[0]))
		}
		switch {
		case exits.MatchString(text):
			if exit.At.File == "" {
				exit.At = in
			}
		case text != exit.Caught:
			exit.Caught, exit.Raised, exit.Thread = text, in, e.Thread
		}
	}
	return exit
}

// Nested are the calls that were under way when a recorded run ended, or that the failure
// which ended it went through, the innermost first. Each stands where it made the next.
func Nested(events []recording.Event, failure string) []Place {
	ended := map[int64]bool{}
	for _, e := range events {
		if e.Kind == recording.Leave && (!e.Raised || !SameFailure(raisedText(e), failure)) {
			ended[e.Call] = true
		}
	}
	var open []recording.Event
	for _, e := range events {
		if e.Kind == recording.Enter && !ended[e.Call] {
			open = append(open, e)
		}
	}
	var list []Place
	for i, e := range slices.Backward(open) {
		p := Place{Function: e.Function, Times: 1}
		p.File, p.Line = recording.FileLine(e.At)
		if i+1 < len(open) && len(open[i+1].Stack) > 0 {
			if function, at := recording.Caller(open[i+1].Stack[0]); function == e.Function {
				p.File, p.Line = recording.FileLine(at)
			}
		}
		if n := len(list); n > 0 && list[n-1].Function == p.Function {
			list[n-1].Times++
			list[n-1].File, list[n-1].Line = p.File, p.Line
			continue
		}
		list = append(list, p)
	}
	if len(list) > 0 {
		list[0].Times = max(list[0].Times, open[len(open)-1].Depth+1) // those too that were not kept
	}
	return list
}
