// Package recording is what a run under a recorder is asked to note, and how what it
// has noted is read. A recorder is code of ours that runs where the program is: in
// it, as source or bytecode that was put there, or in the debugger's own process. It
// stops nothing.
//
// The package does not know how any language records, and nothing of sessions.
package recording

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/internal/text/pattern"
)

// Spec is what one run is to note. It is given to a recorder as JSON.
type Spec struct {
	Values []Values `json:"values,omitempty"`
	Calls  *Calls   `json:"calls,omitempty"`
	Lines  *Lines   `json:"lines,omitempty"`
	Writes *Writes  `json:"writes,omitempty"`
	First  *First   `json:"first,omitempty"`

	// Roots are the directories of the user's code: calls and writes elsewhere are
	// not noted unless they are named.
	Roots []string `json:"roots"`
	Text  int      `json:"text"` // bytes of one value's text, which is then cut with "…"

	// Longest is how long the run may last, what builds the program not counted; 0: as
	// long as there is time. Where it is Unqueued, the time is not counted either in which
	// the machine had no processor for it.
	Longest  time.Duration `json:"-"`
	Unqueued bool          `json:"-"`
}

// Framed says whether a value of a caller is asked for.
func (w *Spec) Framed() bool {
	return slices.ContainsFunc(w.Values, func(v Values) bool { return v.Frames != nil })
}

// Rows says that rows are all that is wanted, each of which tells by itself what happened.
func (w *Spec) Rows() bool {
	return w.Writes == nil && w.First == nil && w.Lines == nil && (w.Calls == nil || w.Calls.Thin == nil) &&
		!slices.ContainsFunc(w.Values, func(v Values) bool { return v.Places })
}

// Leads says that a recorder which only watches places is asked for what leads to a further
// run, and not for the writes to an expression whose places are known.
func (w *Spec) Leads() bool {
	return w.Writes != nil && (w.Writes.Expression == "" || len(w.Writes.Watch) == 0)
}

// Text is an expression of a spec and the parameter that has it.
type Text struct{ Field, Text string }

// Texts are all expressions that a recorder is to evaluate.
func (w *Spec) Texts() []Text {
	var list []Text
	add := func(field string, texts ...string) {
		for _, text := range texts {
			if text != "" {
				list = append(list, Text{field, text})
			}
		}
	}
	for _, v := range w.Values {
		add("condition", v.Condition)
		add("expressions", v.Expressions...)
	}
	if w.Lines != nil {
		add("condition", w.Lines.Condition)
		add("expressions", w.Lines.Expressions...)
	}
	if w.First != nil {
		add("condition", w.First.Condition)
		add("expressions", w.First.Expressions...)
	}
	return list
}

// Values notes expressions each time a line is reached, before it runs.
type Values struct {
	File        string   `json:"file"` // absolute
	Line        int      `json:"line"`
	Condition   string   `json:"condition,omitempty"`
	Expressions []string `json:"expressions"`
	// Frames are the frames of the expressions, 1 that of the caller; nil where all are
	// of the function itself.
	Frames []int `json:"frames,omitempty"`
	// Places asks for each expression also which place in memory it names, so that
	// writes to that place can be found.
	Places bool `json:"places,omitempty"`
}

// Calls notes calls with arguments and results.
type Calls struct {
	Names []string `json:"names"` // functions, patterns with *, absolute files, packages
	Thin  *Thin    `json:"thin,omitempty"`
}

// Thin has a recorder that can do so count the calls of a function that is called often
// in place of noting each. A run that is made again the same way can then note the last
// ones. One that has to stop the program at each call leaves such a function alone.
type Thin struct {
	First int64 `json:"first"` // so many calls of each function are noted
	// Of functions by the recorder's names of them (Event.Place of a Counted): so many
	// calls are only counted, and of those that come after that Last are noted.
	After map[string]int64 `json:"after,omitempty"`
	Last  int64            `json:"last,omitempty"`
	// Leave is the call of a function from which on it is left alone (Unwatched), so that
	// it costs no more than so many; 0: none is, but by a recorder that has to.
	Leave int64 `json:"leave,omitempty"`
}

// Lines notes the lines of one call of a function.
type Lines struct {
	Function    string   `json:"function"`
	Call        int      `json:"call,omitempty"` // the n-th, from 1; 0: the first for which the condition holds
	Condition   string   `json:"condition,omitempty"`
	Expressions []string `json:"expressions,omitempty"` // note only lines after which one has changed
}

// Writes notes assignments to what an expression ends in: the variable "total" of
// the function, the field of "o.total", the element of "a[i]". With Places in
// Values at the place where the question was asked it is then known which of them
// wrote to what the expression named there.
type Writes struct {
	Expression string `json:"expression,omitempty"`
	File       string `json:"file,omitempty"` // where it stands, absolute; for variables
	Line       int    `json:"line,omitempty"`
	// All asks for the writes to everything, with what each statement read (Use), and
	// for all calls of the user's code: what a value's origin is found in.
	All bool `json:"all,omitempty"`
	// Watch are places that a run before has told (Value.Place), for a recorder that
	// cannot note all writes: only those to these are noted.
	Watch []string `json:"watch,omitempty"`
	// Part says that the expression names a part of an object, and that Values tell of which
	// one, at the place where it stands.
	Part bool `json:"part,omitempty"`
	// Equal asks for the writes too that leave the value as it was, where they are left
	// out otherwise because reads would have to be looked at as well.
	Equal bool `json:"equal,omitempty"`
	// Ends says that so many of the first writes and of the last ones are enough, for a recorder
	// that can then do with less; 0: all are wanted. It numbers each: Hit is which write to its
	// place, Among which of all.
	Ends int64 `json:"ends,omitempty"`
	// Clocked leaves out, of those to the places of Watch, what comes after the first ones and before
	// the last ones.
	Clocked *Clocked `json:"clocked,omitempty"`
	// Sparse leaves out, of All, what comes after the first events and before the last ones.
	Sparse *Sparse `json:"sparse,omitempty"`
}

// Sparse has a recorder that can do so only count what happens after the first events of a run,
// until it comes to another number: what is left out has numbers, too, and a run that does the
// same gives the same ones. Hits, failures and remarks are always noted. Where a statement is
// noted that began while it was not, a Use without a place stands before it: what it read is not
// known, nor what was where it wrote.
type Sparse struct {
	First int64 `json:"first"` // so many events are noted
	From  int64 `json:"from"`  // and those of this number and later ones
}

// Clocked has a recorder that stops the program at each write to a watched place note only the first
// ones to each place, and then those from when a clock has come to a number. The clock is code of the
// program, of which it is counted how often it runs. A run without one chooses it where the first
// writes are over, and tells in a Skipped to where it has come: it has counted from there on, and a
// run with that Clock from its start.
type Clocked struct {
	First int64  `json:"first"`           // writes to each place
	Clock string `json:"clock,omitempty"` // Event.Place of a Skipped
	From  int64  `json:"from,omitempty"`
}

// Gap says that events before one were left out.
func (s *Sparse) Gap(seq int64) bool { return s != nil && seq > s.First && s.From > s.First }

// First judges a condition in front of each statement of its scope in which it has a
// value, and where a call ends, and notes the moments at which it comes to hold. A call
// is judged by itself: a moment is a judgement that it holds where the one before in the
// same call said that it does not, or which is the call's first. After so many moments
// nothing is judged any more.
type First struct {
	Condition   string   `json:"condition"`
	Scope       []string `json:"scope,omitempty"`       // functions, patterns with *, absolute files, packages; empty: all of the user's code
	Expressions []string `json:"expressions,omitempty"` // noted at each moment
	Limit       int64    `json:"limit"`                 // moments
	// Changes asks for the values that the condition takes, which need be no truth, in place
	// of moments: one is noted where it is not that of the judgement before in the same
	// thread, and where it cannot be told whether it is. There is no limit then.
	Changes bool `json:"changes,omitempty"`
	// Each is a type: the condition is judged for each of its instances that has been built
	// and lives, which it names [Each]. The instances are judged by themselves, and not the
	// calls: a moment is a judgement that it holds for one for which the one before, in
	// whatever call, said that it does not, or which is that instance's first.
	Each string `json:"each,omitempty"`
}

// Each is what a condition calls the instance for which it is judged.
const Each = "each"

// Unlimited is the Limit of a First that looks at all of a run.
const Unlimited = 1 << 40

// Result is what a condition calls the value that a function of its scope has returned. It
// is judged where a call ends then, and nowhere else.
const Result = "result"

// Kind is what an event tells of.
type Kind string

// The kinds of events.
const (
	Hit       Kind = "hit"       // a line of Values was reached
	Enter     Kind = "enter"     // a call began
	Leave     Kind = "leave"     // it ended
	Line      Kind = "line"      // a line of Lines has run
	Use       Kind = "use"       // a statement is about to run that reads something
	Write     Kind = "write"     // a place was written to, by the statement of the last Use of the same call
	Failed    Kind = "failed"    // what ended the run or its test: nobody caught it, a signal, a failed expectation, a call that exits
	TestBegan Kind = "test"      // a test of the framework's began, with what is made ready for it; told beside thinned calls alone
	Counted   Kind = "counted"   // calls of a function are not all noted: Hit is how many there were until now. It is told when the first ones have been noted, and before each Failed
	Unwatched Kind = "unwatched" // calls of a function are noted no more, for each costs too much: Hit is how many were
	Moment    Kind = "moment"    // the condition of First came to hold by the statement at At, which had run; Hit: at which judgement
	Changed   Kind = "changed"   // the condition of First has another value than at the judgement before in its thread; else as a Moment
	Skipped   Kind = "skipped"   // writes to watched places are left out here, by Writes.Clocked; Hit: to where the clock has come
	Fresh     Kind = "fresh"     // a watched place got a new owner: what was written before is of no account
	Remark    Kind = "remark"    // the recorder has something to say of itself
	Apart     Kind = "apart"     // a Remark that a part of the program is not noted: nothing can be said never to have happened
	Refused   Kind = "refused"   // the spec was refused, and the program was not run
	Missing   Kind = "missing"   // the run had nothing of what the spec names, as far as it was noted; else as a Refused
)

// What the text of a Write says, where it is not one that a statement of the user's made
// in plain sight, or more than that is known of it.
const (
	Unseen = "unseen" // it is only now seen, and not what made it
	Made   = "made"   // of a watched place: by what made the object that lies there
	Longer = "longer" // something was put behind what was there, in the same memory where that has room
	Given  = "given"  // by something that was given where it lies, in which nothing is noted
)

// OfPart says in the Names of a Refused, behind the field at fault, that a part of what that names may
// be had.
const OfPart = "part"

// Unknown is the Depth of a call that was made while others of its function rested, or ran.
const Unknown = -1

// Begun is the text of a Moment at which the condition held as the call began: what made
// it so was done by who called.
const Begun = "begun"

// Ended is the text of a Leave where the call came to the end of its function without a return: no
// statement has given its value.
const Ended = "ended"

// Event is one thing that a recorder noted. It is a line of JSON. There may be a hundred thousand of
// them: what few of them have is apart.
type Event struct {
	Kind     Kind     `json:"k"`
	Seq      int64    `json:"n"`           // counts all events of the run from 1, those that were dropped too
	At       string   `json:"at"`          // absolute file:line
	Function string   `json:"f,omitempty"` // as stacks name it
	Thread   string   `json:"t,omitempty"` // thread, goroutine or task; empty while there was one only
	Depth    int      `json:"d,omitempty"` // calls of the same function that are under way, less this; or Unknown
	Call     int64    `json:"c,omitempty"` // tells calls apart: the one that began, ended, or in which it happened; 0 where nothing needs it
	Names    []string `json:"a,omitempty"` // of an Enter: the arguments; of a Use: what is read; of a Skipped: the places; of a Moment: what the condition compares, then the expressions; of a Changed: the condition, then the expressions; of a Failed: what was raised besides, of which it consists or for which it was raised; of a Refused or Missing: the field at fault
	Values   []Value  `json:"v,omitempty"` // of the expressions, of Names; of a Leave: the result; of a Write: what was there (empty: nothing) and what is there now; of a Failed: what was raised
	Place    string   `json:"o,omitempty"` // of a Write: which place; ending in "[*]" the inside of the object before it; of a Counted: the recorder's name of the function; of a Skipped: its name of the clock, empty where writes are noted again
	Rests    bool     `json:"w,omitempty"` // of an Enter: the call may rest, and go on after others of its function, which are not around it
	More     bool     `json:"r,omitempty"` // of a Use: its statement has had one before, of which it repeats the operands
	Raised   bool     `json:"x,omitempty"` // of a Leave: by an exception, which the value names
	Stack    []string `json:"s,omitempty"` // of a Write: "function file:line", the caller first; of a Failed as well; of a Leave where what was raised came from, once, where that is known apart
	Text     string   `json:"m,omitempty"` // of a Remark; of a Write Unseen, Made, Longer or Given; of a Leave Ended or nothing; of a Fresh "call" or "allocation"; of a Failed one of the Failures; of a Moment Begun or nothing
	Hit      int64    `json:"h,omitempty"` // of a Hit: which pass of its line, from 1; of a Write to a watched place, or with Writes.Ends: which of those to its place, 0 where that is not known, with Writes.Clocked less than 0: which since the clock had come to its number; of a Counted or Unwatched: how many calls
	Among    int64    `json:"g,omitempty"` // of a Moment of First.Each: for how many instances it was judged then; of a Write with Writes.Ends: which of all, 0 where that is not known
	Child    int      `json:"-"`           // the process that the program has started, from 1; 0: it was the program itself
	*Detail
}

// Detail is what few events have. It is read by the methods of an Event, for most have none.
type Detail struct {
	Probe    int      `json:"p,omitempty"` // of a Hit: which of Values, from 0
	Before   []Value  `json:"b,omitempty"` // of a Moment: what the first Names were at the judgement before in the same call; empty where there was none
	Seen     string   `json:"y,omitempty"` // of a Moment: in front of which line it was judged; empty where the call had ended
	Test     string   `json:"q,omitempty"` // of a Failed or TestBegan: the test, as its framework names it; empty outside of tests, and where it is not known
	Instance int64    `json:"e,omitempty"` // of a Moment of First.Each: which instance, in the order in which they were built
	Called   []string `json:"l,omitempty"` // of a Use before a watched Write: the functions that the statement calls
}

func (e *Event) detail() Detail {
	if e.Detail == nil {
		return Detail{}
	}
	return *e.Detail
}

// The methods of an Event read its Detail.

func (e *Event) Probe() int       { return e.detail().Probe }
func (e *Event) Before() []Value  { return e.detail().Before }
func (e *Event) Seen() string     { return e.detail().Seen }
func (e *Event) Test() string     { return e.detail().Test }
func (e *Event) Instance() int64  { return e.detail().Instance }
func (e *Event) Called() []string { return e.detail().Called }

// Value is one value as text.
type Value struct {
	Text  string `json:"v,omitempty"`
	Error string `json:"e,omitempty"` // why there is none
	// Cut says that the text leaves something out: what follows an "…", an element, a
	// level of what is nested.
	Cut   bool   `json:"u,omitempty"`
	Place string `json:"o,omitempty"` // which place in memory the expression named; two are the same in one run when they are equal
	Same  string `json:"i,omitempty"` // identity of the object that the value is, where it is one
	Of    string `json:"h,omitempty"` // identity of the object that holds Place, for a member or an element
	*Extent
}

// Extent is what is known of few values beyond their text. It is read by the methods of a Value, for
// most have none.
type Extent struct {
	// Whole is, of a value that is Cut, a hash of all of it with its types, maps and sets in one
	// order; it is empty where that would be more than [WholeSize] bytes, or is not known. One
	// recorder gives equal values equal hashes in all runs.
	Whole string `json:"w,omitempty"`
	// Where places and identities are addresses, in hexadecimal digits, what lies within
	// a value lies within these bytes.
	Size int64 `json:"z,omitempty"` // at Place; 0 for what has no parts
	Span int64 `json:"y,omitempty"` // at Same: what the value refers to
	// Memory is a sum of that memory, at Same or else at Place, without what it leads to:
	// where two differ in one run, it was written to in between. It is empty where that is
	// not known.
	Memory string `json:"m,omitempty"`
	// Around is, of what a Write has put into an object, the Memory of that object, Of, since.
	Around string `json:"a,omitempty"`
	// Parts are, of a value that was asked about, those of its parts that were noted as
	// written to last, each with its Place and as it is now.
	Parts []Value `json:"p,omitempty"`
}

func (v Value) extent() Extent {
	if v.Extent == nil {
		return Extent{}
	}
	return *v.Extent
}

// The methods of a Value read its Extent.

func (v Value) Whole() string  { return v.extent().Whole }
func (v Value) Size() int64    { return v.extent().Size }
func (v Value) Span() int64    { return v.extent().Span }
func (v Value) Memory() string { return v.extent().Memory }
func (v Value) Around() string { return v.extent().Around }
func (v Value) Parts() []Value { return v.extent().Parts }

// Shown is a value as replies have it: its text, or in parentheses why there is none.
func (v Value) Shown() string {
	if v.Error != "" {
		return "(" + v.Error + ")"
	}
	return v.Text
}

// FileLine splits a place as events have it, "file:line"; line is 0, and file all of it,
// where it is none.
func FileLine(at string) (file string, line int) {
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return at, 0
	}
	line, err := strconv.Atoi(at[i+1:])
	if err != nil {
		return at, 0
	}
	return at[:i], line
}

// Caller splits a caller as events have it, "function file:line". Names of functions have
// spaces (operator bool), and so have paths: a whole path begins with its root.
func Caller(caller string) (function, at string) {
	i := strings.Index(caller, " /")
	if m := drive.FindStringIndex(caller); m != nil && (i < 0 || m[0] < i) {
		i = m[0]
	}
	if m := made.FindStringIndex(caller); i < 0 && m != nil {
		i = m[0]
	}
	if i < 0 {
		i = strings.LastIndexByte(caller, ' ')
	}
	if i < 0 {
		return "", caller
	}
	return caller[:i], caller[i+1:]
}

// made is the name of code that is in no file, as a library has made it.
var made = pattern.New(` <[^<>]* [^<>]*>:\d+$`)

// drive is the root of a path of Windows.
var drive = pattern.New(` [A-Za-z]:[\\/]`)

// WholeSize bounds what is hashed of one value, in bytes of its full text.
const WholeSize = 1 << 20

// Failures are what the text of a Failed says.
const (
	Uncaught = "uncaught" // an exception or a panic that nobody caught, or that ended a test
	Expected = "expected" // an expectation of a test that was not met, and the test may go on
	Exited   = "exited"   // the program ended itself; the first value is the exit code, and what decides it may follow, by its Names
	Died     = "died"     // of a signal, which the first value names; what the statement read may follow, by its Names
)

// Equality is what is known of two values.
type Equality int

// Two values are equal only where all of both is known.
const (
	Different Equality = iota
	Equal
	NotCompared // not in full: what is seen of them is the same
)

// Compare compares two values, be they of one run or of two, but for the addresses in
// them, which differ from run to run.
func Compare(a, b Value) Equality {
	switch {
	case a.Error == b.Error && a.Whole() != "" && a.Whole() == b.Whole():
		return Equal // whatever order a map's entries have in what is seen of them
	case a.Error != b.Error, !Alike(a.Text, b.Text), a.Whole() != "" && b.Whole() != "" && a.Whole() != b.Whole():
		return Different
	case a.isCut() != b.isCut() || a.isCut() && (a.Whole() == "" || b.Whole() == ""):
		return NotCompared
	}
	return Equal
}

// Known says that two such values can be told apart: nothing is left out of the text, or
// there is a hash of all.
func (v Value) Known() bool { return !v.isCut() || v.Whole() != "" }

var address = pattern.New(`0x[0-9a-f]+`)

// Alike says whether two texts of values are the same but for the addresses in them,
// which differ from run to run.
func Alike(a, b string) bool {
	return a == b || strings.Contains(a, "0x") && address.ReplaceAllString(a, "0x") == address.ReplaceAllString(b, "0x")
}
