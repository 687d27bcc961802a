package adapters

import "aidb-mcp/internal/text/pattern"

// FailureSyntax is how a language's runtime, its debugger and its test frameworks write
// what concerns a failure. The zero value knows nothing, and nothing is concluded then.
type FailureSyntax struct {
	// None matches a value that is nothing, as the debugger writes it.
	None *pattern.Pattern
	// False and True match values that a condition takes for false and for true, as the debugger
	// writes them. Nil: only the words for these two are known.
	False, True *pattern.Pattern
	// Deadlock and Overflow match the words in which the runtime says that all of the
	// program waits for itself, and that its stack was too small.
	Deadlock, Overflow *pattern.Pattern
	// Kinds are what the runtime's own failures say was wrong, tried in order.
	Kinds []FailureWords
	// Fails matches a statement that fails because it is told to: it raises, or says that a
	// test has failed.
	Fails *pattern.Pattern
	// PlainMembers: to read a member of an object runs no code.
	PlainMembers bool
	// Raised is what the runtime prints of a failure before it stops the program: its groups
	// are the file and the line, as the program itself knows them, and the message.
	Raised *pattern.Pattern
	// Places are what the text of an exception's stack names, the innermost first. A file may
	// be told by less than its path. Nil where stacks are not told as texts.
	Places func(stack string) []Thrown
	// Printed reads the exception that has ended a program, as it stands at the end of what
	// it printed to stderr; one without a message where there is none. Nil: it is not known
	// how that looks.
	Printed func(stderr string) Printed
	// Lost are the exceptions that a runtime reports in stderr because nobody has caught
	// them, and that end nothing.
	Lost func(stderr string) []Lost
	// EndsThread: a panic ends the thread that it is in, and the program only where that is the
	// main one.
	EndsThread bool
	// Equates are the calls that say whether the two values are equal that they are given.
	Equates *pattern.Pattern
	// EqualTo are those of a member of the one value, which are given the other and no more.
	EqualTo *pattern.Pattern
	// Likens are such calls to which more may be given: how the first two are compared.
	Likens *pattern.Pattern
	// Prints matches the beginning of a statement that only prints; nil: none is known.
	Prints *pattern.Pattern
	// Compares are the calls whose result is the difference between two values that they are
	// given: 0 or nothing where they are equal.
	Compares *pattern.Pattern
	// ComparedTo are those of a member of the one value, which are given the other and no
	// more.
	ComparedTo *pattern.Pattern
	// Assertions are the calls by which frameworks compare two values.
	Assertions []Assertion
	// Unmet are the failures by which frameworks say that an expectation was not met.
	Unmet []FailureType
	// Wanted finds in a message what was wanted of nothing, or what was nothing: each group
	// is a name. NullResult finds the function whose result was nothing.
	Wanted, NullResult *pattern.Pattern
	// OutOfRange finds in a message which index a list does not have, and the list's length: its
	// groups index and length. Nil: no message tells them.
	OutOfRange *pattern.Pattern
	// Unwraps is how a value is taken out of what may hold none; nil: the language has no such.
	Unwraps *Unwrapping
	// Unreadable is how the runtime says that it cannot read a program; nil: programs are
	// built before they run.
	Unreadable *Unreadable
	// Suspects are the failures behind which a fault may stand that a detector sees.
	Suspects []Suspect
	ProgramWords
	RunnerWords
}

// FailureType matches failures by their type and their message; nil matches any.
type FailureType struct{ Type, Message *pattern.Pattern }

// Matches says that a failure is one of these.
func (f FailureType) Matches(kind, message string) bool {
	return (f.Type == nil || f.Type.MatchString(kind)) && (f.Message == nil || f.Message.MatchString(message))
}

// Unwrapping is how a value is taken out of what may hold none.
type Unwrapping struct {
	// Fails matches the message of a failure of it. Demands matches a statement of which the
	// failure has words of the program's own.
	Fails, Demands *pattern.Pattern
	// Takes matches what stands behind the expression out of which something is taken. Hands
	// are the calls at the end of one that hand on the same value, Empties those of them that
	// leave nothing behind.
	Takes, Hands, Empties *pattern.Pattern
	// Held reads what was there in place of a value, such as "it was empty". Message is
	// without the failure's type.
	Held func(message, statement string) string
}

// Unreadable is how a runtime says that it cannot read a program, or a file that this loads.
type Unreadable struct {
	Message *pattern.Pattern // of "type: message"
	// At is the place that the failure tells, its File empty where it tells none.
	At func(stack, message string) Thrown
	// Loading says of a stop that it is that of a file which cannot be read, so that no
	// function of it runs; nil where the stop itself does not show it. PrintedAt finds file
	// and line of that in what the runtime prints.
	Loading   func(kind, message, function string) bool
	PrintedAt *pattern.Pattern
}

// Printed is an uncaught exception as a runtime has printed it.
type Printed struct {
	Message string
	Frames  []Thrown // the innermost first
	Before  string   // what the program has printed before it
}

// Lost is an exception that nobody has caught, and that has ended nothing.
type Lost struct {
	Of      string // whose it was, such as "a task whose result nobody has asked for"
	Message string
	Frames  []Thrown // the innermost first
}

// FailureKind is what a failure says was wrong.
type FailureKind int

// The kinds that the parts of a statement can be judged by.
const (
	OtherFailure FailureKind = iota
	NothingThere             // something was wanted of nothing
	BadIndex
	MissingKey
	DividedByZero
	Unmet // an expectation
)

// FailureWords is a kind of failure and how it is told.
type FailureWords struct {
	Kind  FailureKind
	Words *pattern.Pattern // of "type: message"
}

// Assertion is a framework's way to compare two values: how its call is written, and the
// exact form in which it reports that they differ. Free text has no form, and tells no
// sides.
type Assertion struct {
	Call   *pattern.Pattern // how such a statement begins; nil: its report is known without it
	Raised *pattern.Pattern // the type of its failure; nil: any
	Said   *pattern.Pattern // what its failure says, where others write their calls alike; nil: anything
	// Condition: what is compared stands in its first argument; the others are words for
	// people.
	Condition bool
	// Arguments says which of the compared arguments is which; those before them match Before.
	Arguments SideOrder
	Before    *pattern.Pattern
	// Report is the failure's message, whole, with two groups in the order of Reports; nil:
	// it does not tell the values.
	Report  *pattern.Pattern
	Reports SideOrder
	// Expands: the report is the condition, whole, with values in it: it tells two values only
	// where that is one comparison and nothing besides.
	Expands bool
}

// SideOrder says which of two values is the expected one.
type SideOrder int

// The orders.
const (
	Unlabelled     SideOrder = iota // left and right: neither is known to be the expected one
	ExpectedActual                  // the expected one first
	ActualExpected
)
