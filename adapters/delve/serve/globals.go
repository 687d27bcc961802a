//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/proc"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/adapters/delve/wire"
)

const maxGlobals = 500

// globals lists the package variables of the frame's package; with a filter,
// those of any package whose qualified name contains it.
func globals(t *target, args wire.GlobalsArgs) (wire.VariablesBody, error) {
	scope, err := t.scope(args.Goroutine, args.Frame)
	if err != nil {
		return wire.VariablesBody{}, err
	}
	if scope.Fn == nil {
		return wire.VariablesBody{}, errors.New("the frame belongs to no package")
	}
	all, err := scope.PackageVariables(proc.LoadConfig{})
	if err != nil {
		return wire.VariablesBody{}, err
	}
	here := scope.Fn.PackageName() + "."
	filter := strings.ToLower(args.Filter)
	wanted := func(name string) bool {
		if filter == "" {
			return strings.HasPrefix(name, here)
		}
		return strings.Contains(strings.ToLower(name), filter)
	}
	var names []string
	for _, v := range all {
		if wanted(v.Name) {
			names = append(names, v.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(compareBool(gosrc.Runtime(a), gosrc.Runtime(b)), cmp.Compare(a, b))
	})
	body := wire.VariablesBody{Total: len(names)}
	for _, name := range names[:min(len(names), maxGlobals)] {
		body.Variables = append(body.Variables, t.global(scope, name, here))
	}
	return body, nil
}

// global reads one package variable in full. Delve wants a package path with
// slashes in quotes.
func (t *target) global(scope *proc.EvalScope, name, here string) godap.Variable {
	dot := strings.LastIndexByte(name, '.')
	expr := name
	if strings.Contains(name, "/") {
		expr = `"` + name[:dot] + `".` + name[dot+1:]
	}
	v, err := scope.EvalExpression(expr, overview)
	if err != nil {
		return godap.Variable{Name: strings.TrimPrefix(name, here), Value: "(unreadable: " + err.Error() + ")"}
	}
	return t.row(v, strings.TrimPrefix(name, here), expr)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
