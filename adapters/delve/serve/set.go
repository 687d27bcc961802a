//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"go/parser"
	"reflect"

	"aidb-mcp/adapters/delve/wire"
)

// setVariable assigns to everything that an expression can name, package variables too,
// which are in no scope of Delve's session.
func setVariable(t *target, args wire.SetArgs) (wire.SetBody, error) {
	scope, err := t.scope(args.Goroutine, args.Frame)
	if err != nil {
		return wire.SetBody{}, err
	}
	if _, err := parser.ParseExpr(args.Value); err != nil {
		return wire.SetBody{}, err
	}
	v, err := scope.EvalExpression(args.Name, overview)
	if err != nil {
		return wire.SetBody{}, err
	}
	if v.Kind == reflect.String {
		return wire.SetBody{}, nil
	}
	return wire.SetBody{Done: true}, scope.SetVariable(args.Name, args.Value)
}
