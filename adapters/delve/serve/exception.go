//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"errors"
	"go/constant"
	"reflect"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	godap "github.com/google/go-dap"
)

// exceptionInfo answers from the runtime's own records, because Delve's
// session cuts the text, drops errors that are not strings, and knows nothing
// about a fatal error outside of any goroutine. Other stops are left to it.
func (f *front) exceptionInfo(req request, frame []byte) {
	body, err := f.ask(req, typedAnswer(exception))
	if err != nil {
		f.inner.write(frame)
		return
	}
	f.succeed(req, body)
}

var errNoException = errors.New("no thread is at a panic, a fatal error or a failing test")

// exception describes the panic or fatal error that the program stands at.
func exception(t *target, args godap.ExceptionInfoArguments) (godap.ExceptionInfoResponseBody, error) {
	thread, name := t.crashedThread(args.ThreadId)
	switch name {
	case proc.UnrecoveredPanic:
		return t.describePanic(thread)
	case proc.FatalThrow:
		return t.describeThrow(thread)
	case everyPanicName:
		return t.aboutToPanic(thread)
	case testFailureName:
		return t.describeFailure(thread)
	}
	return godap.ExceptionInfoResponseBody{}, errNoException
}

// crashedThread finds the thread at one of Delve's breakpoints in the runtime or at
// one of our filters, preferring the wished goroutine.
func (t *target) crashedThread(goroutine int) (found proc.Thread, name string) {
	for _, thread := range t.ThreadList() {
		bp := thread.Breakpoint()
		if bp == nil || bp.Breakpoint == nil || bp.Logical == nil {
			continue
		}
		kind := ownFilterOf(bp.Logical.Name)
		switch bp.Logical.Name {
		case proc.UnrecoveredPanic, proc.FatalThrow:
			kind = bp.Logical.Name
		}
		if kind == "" {
			continue
		}
		g, _ := proc.GetG(thread)
		if found == nil || g != nil && g.ID == int64(goroutine) {
			found, name = thread, kind
		}
	}
	return found, name
}

// describeThrow reads the argument of runtime.throw, fatal or fatalsignal.
func (t *target) describeThrow(thread proc.Thread) (godap.ExceptionInfoResponseBody, error) {
	body := godap.ExceptionInfoResponseBody{ExceptionId: "fatal error", BreakMode: "unhandled"}
	scope, err := proc.ThreadScope(t.Target, thread)
	if err != nil {
		return body, err
	}
	if text, ok := text(scope, "s"); ok {
		body.Description = text
		return body, nil
	}
	if sig, ok := number(scope, "sig"); ok {
		body.ExceptionId, body.Description = "signal", signalName(int(sig))
		return body, nil
	}
	return body, errNoException
}

// maxPanics bounds the chain of panics that replaced one another.
const maxPanics = 8

// describePanic reads the chain of panics that runtime.fatalpanic prints: the
// value of each (errors and Stringers are turned to text by then), and its
// type from the frame of the call of panic that belongs to it.
func (t *target) describePanic(thread proc.Thread) (godap.ExceptionInfoResponseBody, error) {
	body := godap.ExceptionInfoResponseBody{ExceptionId: "panic", BreakMode: "unhandled"}
	scope, err := proc.GoroutineScope(t.Target, thread)
	if err != nil {
		return body, err
	}
	types := t.panicTypes(thread)
	var chain []godap.ExceptionDetails
	for at, n := "msgs", 0; n < maxPanics; at, n = at+".link", n+1 {
		if pointer(scope, at) == 0 {
			break
		}
		if truth(scope, at+".goexit") || truth(scope, at+".link.repanicked") { // which is the next once more, and not turned to text
			continue
		}
		one := godap.ExceptionDetails{Message: panicText(scope, at+".arg")}
		if n < len(types) {
			one.TypeName = types[n]
		}
		switch recovered := truth(scope, at+".recovered"); {
		case recovered && truth(scope, at+".repanicked"):
			one.Message += " [recovered, repanicked]"
		case recovered:
			one.Message += " [recovered]"
		}
		chain = append(chain, one)
	}
	if len(chain) == 0 {
		return body, errNoException
	}
	for i := len(chain) - 1; i > 0; i-- {
		chain[i-1].InnerException = []godap.ExceptionDetails{chain[i]}
	}
	body.Description, body.Details = chain[0].Message, &chain[0]
	return body, nil
}

// panicTypes lists the dynamic types of the values that panic was called
// with, the latest first: the frames of runtime.gopanic, from the top.
func (t *target) panicTypes(thread proc.Thread) []string {
	g, err := proc.GetG(thread)
	if err != nil {
		return nil
	}
	const deep = 200
	frames, err := proc.GoroutineStacktrace(t.Target, g, deep, 0)
	if err != nil {
		return nil
	}
	var types []string
	for i, frame := range frames {
		if frame.Call.Fn == nil || frame.Call.Fn.Name != "runtime.gopanic" {
			continue
		}
		scope := proc.FrameToScope(t.Target, t.Memory(), g, thread.ThreadID(), frames[i:]...)
		v, err := scope.EvalExpression("e", overview)
		if err != nil || len(v.Children) == 0 {
			types = append(types, "")
			continue
		}
		types = append(types, v.Children[0].TypeString())
	}
	return types
}

// whole reads a text at full length, within reason.
var whole = proc.LoadConfig{FollowPointers: true, MaxVariableRecurse: 1, MaxStringLen: 4096, MaxArrayValues: 64, MaxStructFields: -1}

// panicText is the value of an interface: strings as they are, other values as they are shown elsewhere.
func panicText(scope *proc.EvalScope, expr string) string {
	v, err := scope.EvalExpression(expr, whole)
	if err != nil {
		return "(unreadable: " + err.Error() + ")"
	}
	if v.Kind == reflect.Interface && len(v.Children) == 1 {
		v = &v.Children[0]
	}
	if v.Kind == reflect.Pointer { // recovered and raised again before the runtime asked it for its text
		return valueText(v)
	}
	return display(v)
}

// display shows a text as it is and other values as they are shown elsewhere.
func display(v *proc.Variable) string {
	if v.Kind == reflect.String && v.Value != nil {
		return constant.StringVal(v.Value)
	}
	return api.ConvertVar(v).StringWithOptions("", "", api.PrettyShortenType)
}

func text(scope *proc.EvalScope, expr string) (string, bool) {
	v, err := scope.EvalExpression(expr, whole)
	if err != nil || v.Kind != reflect.String || v.Value == nil {
		return "", false
	}
	return constant.StringVal(v.Value), true
}

func truth(scope *proc.EvalScope, expr string) bool {
	v, err := scope.EvalExpression(expr, shallow)
	return err == nil && v.Kind == reflect.Bool && v.Value != nil && constant.BoolVal(v.Value)
}
