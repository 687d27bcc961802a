package adapters

import (
	"context"

	godap "github.com/google/go-dap"
)

// The optional powers of a dialect: questions beyond the protocol that one
// adapter can answer. What an adapter merely is stands in its [Quirks]. The engine asks with a type assertion and supplies the plain
// way, or says that it is impossible, when the answer is no.
type (
	// GlobalLister lists the global variables (of the frame's package when all is false).
	GlobalLister interface {
		Globals(ctx context.Context, c Caller, thread, frame int, filter string) ([]godap.Variable, error)
	}
	// ReturnReader reads the values that a stepped-out-of function returned.
	ReturnReader interface {
		Returned(ctx context.Context, c Caller, thread int) ([]godap.Variable, error)
	}
	// CallJudge knows by the results of a call, made for an expression that
	// Expression has rewritten, that it failed, and why.
	CallJudge interface {
		Failed(results []godap.Variable) (why string, failed bool)
	}
	// FramedExpression takes the place of Expression where the frame (its DAP id)
	// must stand in what the adapter evaluates.
	FramedExpression interface {
		ExpressionIn(frame int, expr string) (rewritten, context string)
	}
	// Resolver takes the place of Expression where the adapter must be asked what
	// an expression in a frame (its DAP id) means before that can be evaluated.
	// The error is why it has no value.
	Resolver interface {
		Resolve(ctx context.Context, c Caller, frame int, expr string) (rewritten, context string, err error)
	}
	// ResultJudge knows by the result of an evaluation that it failed, and why,
	// where the adapter reports a success.
	ResultJudge interface {
		Judge(result godap.EvaluateResponseBody) (why string, failed bool)
	}
	// Setter gives a value to a variable in a way of the adapter's own. Where that
	// is not needed it is not done, and the protocol's way is gone.
	Setter interface {
		Set(ctx context.Context, c Caller, at Spot, name, value string) (done bool, err error)
	}
	// Assigner writes an assignment as an expression, for adapters that can
	// evaluate one and have no request for it, or none that reaches what no scope
	// of the frame lists; empty when it cannot be said.
	Assigner interface {
		Assignment(name, value string) string
	}
	// Measurer knows the length in bytes of a value that the adapter has cut; 0
	// when the value is whole or the length unknown.
	Measurer interface {
		FullLength(v godap.Variable) int
	}
	// TextMeasurer gives an expression for the length of a text, in the units by
	// which Range slices it; empty for what is no text. Without it the units are
	// the bytes of the text itself.
	TextMeasurer interface {
		TextLength(expr, typ string) string
	}
	// TextCounter knows the length of a text that came with its value, in the units
	// of [TextMeasurer]: that of the text itself, not of how it is shown.
	TextCounter interface {
		TextUnits(v godap.Variable) (n int, known bool)
	}
	// Indirection knows children that only stand for the value itself, such as
	// what a pointer points to: the engine shows what they hold in their place.
	Indirection interface {
		Indirect(child godap.Variable) bool
	}
	// ArgumentLister names the arguments of a frame's function, where the scopes
	// do not tell them from locals.
	ArgumentLister interface {
		Arguments(ctx context.Context, c Caller, thread, frame int) ([]string, error)
	}
	// UnsetLister names the variables of a frame that its scopes list although they have
	// no value yet: in their place lies what was there before.
	UnsetLister interface {
		Unset(ctx context.Context, c Caller, thread, frame int) ([]Unset, error)
	}
	// Counter finds the number of elements of a value among its children, where
	// the adapter does not tell it with the value and sends only the first ones.
	Counter interface {
		Count(children []godap.Variable) (n int, known bool)
	}
	// Pager reads elements [start,start+count) of a value by its path, for
	// adapters that can only list all of them. The frame is a DAP frame id. An
	// empty answer leaves it to the adapter.
	Pager interface {
		Page(ctx context.Context, c Caller, frame int, path string, start, count int) ([]godap.Variable, error)
	}
	// OpaqueJudge knows that a value's text does not show what is in it, such as
	// "Order" or "size=3": the engine then opens one that was asked for.
	OpaqueJudge interface {
		Opaque(value, typ string) bool
	}
	// ScopeTidier says by their hints (locals, arguments, globals, registers)
	// which of a frame's scopes are what, and leaves out those of no interest.
	ScopeTidier interface {
		Scopes(scopes []godap.Scope) []godap.Scope
	}
)

// Unset is a variable that has no value yet where its frame is.
type Unset struct {
	Name    string
	Label   string // the name by which it is listed beside others of that name; may be empty
	Why     string // why it cannot be read; empty where its declaration has not run yet
	Shadows bool   // another variable has the same name, and that one is meant here
}

// Spot is a frame of a thread that stands still, as the adapter names them.
type Spot struct {
	Thread int
	Rank   int // of the frame, counted from the very top
	Frame  int // its DAP id
}
