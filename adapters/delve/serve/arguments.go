//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import "aidb-mcp/adapters/delve/wire"

// arguments names the arguments of a frame's function, which Delve's session
// lists among the locals.
func arguments(t *target, args wire.FrameArgs) (wire.ArgumentsBody, error) {
	scope, err := t.scope(args.Goroutine, args.Frame)
	if err != nil {
		return wire.ArgumentsBody{}, err
	}
	vars, err := scope.FunctionArguments(overview)
	if err != nil {
		return wire.ArgumentsBody{}, err
	}
	body := wire.ArgumentsBody{Names: make([]string, 0, len(vars))}
	for _, v := range vars {
		body.Names = append(body.Names, v.Name)
	}
	return body, nil
}
