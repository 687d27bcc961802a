//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"regexp"
	"strings"

	"github.com/go-delve/delve/pkg/proc"
	godap "github.com/google/go-dap"
)

// failing describes the test that is about to be failed: its name, and the
// message as far as it can be told from the arguments.
func (t *target) failing(thread proc.Thread) (godap.ExceptionInfoResponseBody, error) {
	body := godap.ExceptionInfoResponseBody{ExceptionId: "test failure", BreakMode: "always"}
	scope, err := proc.GoroutineScope(t.Target, thread)
	if err != nil {
		return body, err
	}
	var args []string
	if v, err := scope.EvalExpression("args", whole); err == nil {
		for i := range v.Children {
			value := &v.Children[i]
			if len(value.Children) == 1 {
				value = &value.Children[0]
			}
			args = append(args, valueText(value))
		}
	}
	body.Description = strings.Join(args, " ")
	if format, ok := text(scope, "format"); ok {
		body.Description = fill(format, args)
	}
	if name, ok := text(scope, "c.name"); ok {
		body.Description = name + ": " + body.Description
	}
	return body, nil
}

// verb matches a formatting verb of package fmt.
var verb = regexp.MustCompile(`%[-+# 0]*[\d.]*[a-zA-Z%]`)

// fill puts the arguments, as the debugger shows them, where the verbs stand.
func fill(format string, args []string) string {
	return verb.ReplaceAllStringFunc(format, func(verb string) string {
		switch {
		case verb == "%%":
			return "%"
		case len(args) == 0:
			return verb
		}
		arg := args[0]
		args = args[1:]
		return arg
	})
}
