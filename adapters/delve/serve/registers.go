//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"strings"

	"github.com/go-delve/delve/service/api"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/delve/wire"
)

// registers lists the general registers of a frame.
func registers(t *target, args wire.FrameArgs) (wire.VariablesBody, error) {
	scope, err := t.scope(args.Goroutine, args.Frame)
	if err != nil {
		return wire.VariablesBody{}, err
	}
	var body wire.VariablesBody
	for _, r := range api.ConvertRegisters(&scope.Regs, t.BinInfo().Arch.DwarfRegisterToString, false) {
		body.Variables = append(body.Variables, godap.Variable{
			Name:         strings.ToLower(r.Name),
			Value:        r.Value,
			EvaluateName: "_" + strings.ToUpper(r.Name),
		})
	}
	body.Total = len(body.Variables)
	return body, nil
}
