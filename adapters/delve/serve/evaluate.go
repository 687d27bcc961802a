//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-delve/delve/pkg/proc"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/delve/arithmetic"
)

// evaluate computes with numbers as the program would, and refuses what the
// frame's function has not set yet. All else is the session's.
func (f *front) evaluate(req request, frame []byte) {
	body, err := f.compute(req)
	var unset *unsetError
	var plainer *plainerError
	switch {
	case err == nil:
		f.succeed(req, body)
	case errors.As(err, &unset):
		f.fail(req, err)
	case errors.As(err, &plainer):
		f.pass(withExpression(req, frame, plainer.expression))
	default:
		f.pass(req, frame)
	}
}

// compute answers with [arithmetic.ErrOther] when the session has to, and with
// plainerError when that in other words.
func (f *front) compute(req request) (any, error) {
	var args godap.EvaluateArguments
	if err := json.Unmarshal(req.Arguments, &args); err != nil {
		return nil, err
	}
	text, called := strings.CutPrefix(args.Expression, "call ")
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return nil, err
	}
	at, known := f.tracks.frame(args.FrameId)
	if !known {
		return nil, arithmetic.ErrOther
	}
	return f.ask(req, func(t *target, _ json.RawMessage) (any, error) {
		scope, err := t.scope(at.goroutine, at.frame)
		if err != nil {
			return nil, err
		}
		if err := refuseUnset(t, scope, expr); err != nil {
			return nil, err
		}
		otherwise := arithmetic.ErrOther
		indexed := computeIndexes(t, scope, expr)
		if qualify(scope, expr) || indexed {
			called = callsFunction(expr)
			otherwise = plainer(expr, called)
		}
		if called || !arithmetic.Computes(expr) {
			return nil, otherwise
		}
		body, err := compute(t, scope, expr)
		var named *plainerError
		if err != nil && !errors.As(err, &named) {
			return nil, otherwise
		}
		return body, err
	})
}

// computeIndexes puts the computed value in the place of an index or a key that is
// computed, and says that there was one: the session would not wrap it to its type.
func computeIndexes(t *target, scope *proc.EvalScope, expr ast.Expr) (changed bool) {
	ast.Inspect(expr, func(n ast.Node) bool {
		e, ok := n.(*ast.IndexExpr)
		if !ok || !arithmetic.Computes(e.Index) || arithmetic.Exact(e.Index) {
			return true
		}
		v, err := arithmetic.Eval(e.Index, variableReader{t, scope}.read)
		if err != nil || v.Constant() || !v.Whole() {
			return true
		}
		text := v.String()
		if v.Type != "int" {
			text = conversion(v)
		}
		index, err := parser.ParseExpr(text)
		if err != nil {
			return true
		}
		if _, err := scope.EvalExpression(text, overview); err == nil {
			e.Index, changed = index, true
		}
		return true
	})
	return changed
}

// conversion is an expression whose value is v, of its type.
func conversion(v arithmetic.Value) string {
	typ := v.Type
	if !v.Plain() {
		typ = "(" + strconv.Quote(typ) + ")"
	}
	return typ + "(" + v.String() + ")"
}

func compute(t *target, scope *proc.EvalScope, expr ast.Expr) (any, error) {
	v, err := arithmetic.Eval(expr, variableReader{t, scope}.read)
	if err != nil {
		return nil, err
	}
	if v.Constant() {
		return nil, arithmetic.ErrOther
	}
	if text := conversion(v); !v.Plain() && v.Whole() { // the session knows the names of the values of an enumeration
		if _, err := scope.EvalExpression(text, overview); err == nil {
			return nil, &plainerError{text}
		}
	}
	return godap.EvaluateResponseBody{Result: v.String(), Type: v.Type}, nil
}

// variableReader reads variables for package arithmetic.
type variableReader struct {
	target *target
	scope  *proc.EvalScope
}

func (l variableReader) read(expr ast.Expr) (arithmetic.Value, error) {
	v, err := l.scope.EvalExpression(types.ExprString(expr), overview)
	if err != nil || v.Unreadable != nil || v.Value == nil && v.FloatSpecial == 0 {
		return arithmetic.Value{}, arithmetic.ErrOther // whose words the session has
	}
	if v.Kind == reflect.Bool && v.DwarfType == nil {
		return arithmetic.Typed("bool", constant.BoolVal(v.Value)), nil
	}
	if v.DwarfType == nil {
		return arithmetic.Value{}, arithmetic.ErrOther
	}
	typ, size := v.TypeString(), v.RealType.Size()
	switch {
	case v.Kind == reflect.Bool:
		return arithmetic.Typed(typ, constant.BoolVal(v.Value)), nil
	case reflect.Int <= v.Kind && v.Kind <= reflect.Int64:
		n, _ := constant.Int64Val(v.Value)
		return arithmetic.Of(typ, size, n)
	case reflect.Uint <= v.Kind && v.Kind <= reflect.Uintptr:
		n, _ := constant.Uint64Val(v.Value)
		return arithmetic.Of(typ, size, n)
	case v.Kind == reflect.Float32 || v.Kind == reflect.Float64:
		return arithmetic.Of(typ, size, l.target.float(v))
	case v.Kind == reflect.Complex64 || v.Kind == reflect.Complex128:
		if z, ok := l.target.complex(v); ok {
			return arithmetic.Of(typ, size, z)
		}
	}
	return arithmetic.Value{}, arithmetic.ErrOther
}

// unsetError is about a result that holds what was left on the stack.
type unsetError struct{ name string }

func (e *unsetError) Error() string {
	return fmt.Sprintf("%s is not set yet: the program stands before the first line of the function, and its result holds what was left in memory", e.name)
}

func refuseUnset(t *target, scope *proc.EvalScope, expr ast.Expr) error {
	names := unset(t, scope)
	if len(names) == 0 {
		return nil
	}
	var err error
	ast.Inspect(expr, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.SelectorExpr: // its name is a field's
			if inner := refuseUnset(t, scope, e.X); inner != nil {
				err = inner
			}
			return false
		case *ast.Ident:
			if names[e.Name] {
				err = &unsetError{e.Name}
			}
		}
		return err == nil
	})
	return err
}

// unset names the named results of a frame whose function has not begun: the
// code that makes them zero belongs to the line of the function's head.
func unset(t *target, scope *proc.EvalScope) map[string]bool {
	fn := scope.Fn
	if fn == nil || scope.PC < fn.Entry || scope.PC >= fn.End {
		return nil
	}
	begins, err := proc.FirstPCAfterPrologue(t.Process, fn, false)
	if err != nil || scope.PC > begins {
		return nil
	}
	vars, err := scope.FunctionArguments(proc.LoadConfig{})
	if err != nil {
		return nil
	}
	names := map[string]bool{}
	for _, v := range vars {
		if v.Flags&proc.VariableReturnArgument != 0 {
			names[v.Name] = true
		}
	}
	return names
}
