//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"
	"strings"

	"aidb-mcp/adapters/delve/wire"
)

// returnedValues lists what the function returned that the goroutine just stepped
// out of. It is empty after any other stop.
func returnedValues(t *target, args wire.ReturnedArgs) (wire.VariablesBody, error) {
	g, err := t.goroutine(args.Goroutine)
	if err != nil {
		return wire.VariablesBody{}, err
	}
	var body wire.VariablesBody
	if g.Thread == nil {
		return body, nil
	}
	for i, v := range g.Thread.Common().ReturnValues(overview) {
		name := v.Name
		if strings.HasPrefix(name, "~") {
			name = fmt.Sprintf("result %d", i+1) // the compiler's name for a nameless result
		}
		body.Variables = append(body.Variables, t.row(v, name, ""))
	}
	body.Total = len(body.Variables)
	return body, nil
}
