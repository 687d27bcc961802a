package adapters

import (
	"context"

	godap "github.com/google/go-dap"
)

// Values is how expressions are put to an adapter, and what it knows of the values that it
// sends: lengths, pages, which of them stand for others, which have no value yet. It belongs
// to the requests scopes, variables, evaluate, setVariable and setExpression.
type Values struct {
	// Expression is what the adapter evaluates for what the user wrote, in a frame (its DAP
	// id). Context is "watch" or "repl". It may ask the adapter what the expression means
	// there; the error is why it has no value. The frame is 0 for the bare name of a variable
	// that the frame lists, about which nothing has to be asked. Nil: what the user wrote is
	// evaluated as a watch.
	Expression func(ctx context.Context, c Caller, frame int, expr string) (rewritten, context string, err error)
	// Peeks: an expression can be evaluated so that it runs none of the program's code, and has
	// no value where it would ([WithReading]): for languages in which its text does not tell.
	Peeks bool
	// EvaluationFailed: the adapter reports a success, and by the result it failed, and why.
	EvaluationFailed func(result godap.EvaluateResponseBody) (why string, failed bool)
	// CallFailed says so by the results of a call, made for an expression that Expression has
	// rewritten.
	CallFailed func(results []godap.Variable) (why string, failed bool)

	// Set gives a value to a variable in a way of the adapter's own. Where that is not needed
	// it is not done, and the protocol's way is gone.
	Set func(ctx context.Context, c Caller, at FrameRef, name, value string) (done bool, err error)
	// Assignment is an assignment as an expression, for adapters that can evaluate one and have
	// no request for it, or none that reaches what no scope of the frame lists; empty when it
	// cannot be said.
	Assignment func(name, value string) string

	// Scopes says by their hints (locals, arguments, globals, registers) which of a frame's
	// scopes are what, and leaves out those of no interest.
	Scopes func(scopes []godap.Scope) []godap.Scope
	// SnapshotScopes: scopes hold the values of the moment of the stop, whatever is set since.
	// The engine then evaluates each name anew.
	SnapshotScopes bool
	// Arguments are the names of the arguments of a frame's function, where the scopes do not
	// tell them from locals.
	Arguments func(ctx context.Context, c Caller, thread, frame int) ([]string, error)
	// Unset are the variables of a frame that its scopes list although they have no value yet:
	// in their place lies what was there before.
	Unset func(ctx context.Context, c Caller, thread, frame int) ([]Unset, error)
	// Declared are the types of a frame's variables as their source has them, by the variables'
	// names, where the adapter lists them with the types of another language.
	Declared func(ctx context.Context, c Caller, thread, frame int) (map[string]string, error)
	// DeclaredParts gives the value at a path, nil where only its parts are meant, and its parts the
	// types that their source has, where the adapter gives them those of another language.
	DeclaredParts func(ctx context.Context, c Caller, frame int, path string, whole *godap.Variable, parts []godap.Variable)
	// Globals are the global variables of the frame's package, or of all by a filter.
	Globals func(ctx context.Context, c Caller, thread, frame int, filter string) ([]godap.Variable, error)
	// GlobalScope: frames have a scope of globals, which is known before the first one has been
	// read.
	GlobalScope bool
	// Returned are the values that a function returned which was stepped out of.
	Returned func(ctx context.Context, c Caller, thread int) ([]godap.Variable, error)
	// ReturnLocal is the name under which the locals of a frame that stands at its return have
	// what it returns; empty where none do.
	ReturnLocal string

	// Opaque: a value's text does not show what is in it, such as "Order" or "size=3". The
	// engine then opens one that was asked for.
	Opaque func(value, typ string) bool
	// Indirect: a child only stands for the value itself, such as what a pointer points to. The
	// engine shows what it holds in its place.
	Indirect func(child godap.Variable) bool
	// Count finds the number of elements of a value among its children, where the adapter does
	// not tell it with the value and sends only the first ones.
	Count func(children []godap.Variable) (n int, known bool)
	// Page reads elements [start,start+count) of a value by its path, for adapters that can
	// only list all of them. The frame is a DAP frame id. An empty answer leaves it to the
	// adapter.
	Page func(ctx context.Context, c Caller, frame int, path string, start, count int) ([]godap.Variable, error)

	// FullLength is the length in bytes of a value that the adapter has cut; 0 when the value
	// is whole or the length unknown.
	FullLength func(v godap.Variable) int
	// TextLength is an expression for the length of a text, in the units by which the dialect's
	// Range slices it; empty for what is no text. Without it the units are the bytes of the
	// text itself.
	TextLength func(expr, typ string) string
	// TextUnits is the length of a text that came with its value, in the units of TextLength:
	// that of the text itself, not of how it is shown.
	TextUnits func(v godap.Variable) (n int, known bool)
	// LongestValue: values of that many bytes or more may have been cut by the adapter without
	// a word; 0: it says so, or cuts none.
	LongestValue int
}

// Rewriting is [Values.Expression] of an adapter for which the frame and its program do not
// matter.
func Rewriting(rewrite func(expr string) (rewritten, context string)) func(context.Context, Caller, int, string) (string, string, error) {
	return func(_ context.Context, _ Caller, _ int, expr string) (string, string, error) {
		rewritten, kind := rewrite(expr)
		return rewritten, kind, nil
	}
}

// Unset is a variable that has no value yet where its frame is.
type Unset struct {
	Name    string
	Label   string // the name by which it is listed beside others of that name; may be empty
	Why     string // why it cannot be read; empty where its declaration has not run yet
	Shadows bool   // another variable has the same name, and that one is meant here
}

// FrameRef is a frame of a thread that stands still, as the adapter names them.
type FrameRef struct {
	Thread int
	Rank   int // of the frame, counted from the very top
	Frame  int // its DAP id
}
