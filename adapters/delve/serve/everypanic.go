//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"reflect"

	"github.com/go-delve/delve/pkg/proc"
	godap "github.com/google/go-dap"
)

// aboutToPanic describes the value at the very call of panic, before the
// runtime has asked it for its text.
func (t *target) aboutToPanic(thread proc.Thread) (godap.ExceptionInfoResponseBody, error) {
	body := godap.ExceptionInfoResponseBody{ExceptionId: "panic", BreakMode: "always"}
	scope, err := proc.GoroutineScope(t.Target, thread)
	if err != nil {
		return body, err
	}
	// The argument is in registers, from where Delve cannot read the tables of
	// types; an interface in memory makes it read them beforehand.
	_, _ = scope.EvalExpression("runtime.divideError", shallow)
	v, err := scope.EvalExpression("e", whole)
	if err != nil {
		return body, err
	}
	if v.Kind == reflect.Interface && len(v.Children) == 1 {
		v = &v.Children[0]
	}
	body.Description = valueText(v)
	body.Details = &godap.ExceptionDetails{Message: body.Description, TypeName: v.TypeString()}
	return body, nil
}

// valueText is the text of a panic's value: of a string, of the errors that
// are made of one, and else the value as it is shown elsewhere.
func valueText(v *proc.Variable) string {
	value := v
	switch {
	case v.Kind == reflect.Invalid:
		return "<nil>" // an interface without a value, as package fmt prints it
	case v.Kind == reflect.Pointer && len(v.Children) == 1 && v.Children[0].Addr == 0:
		return "(" + v.TypeString() + ")(nil)"
	case v.Kind == reflect.Pointer && len(v.Children) == 1:
		value = &v.Children[0]
	}
	switch v.TypeString() {
	case "*errors.errorString", "*fmt.wrapError", "*fmt.wrapErrors":
		if len(value.Children) > 0 {
			value = &value.Children[0] // the text is the first field
		}
	case "runtime.errorString", "runtime.boundsError":
		return "runtime error: " + display(value)
	}
	return display(value)
}
