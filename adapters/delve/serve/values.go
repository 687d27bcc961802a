//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	godap "github.com/google/go-dap"
)

// overview reads as much of a value as one line shows.
var overview = proc.LoadConfig{
	FollowPointers:     true,
	MaxVariableRecurse: 1,
	MaxStringLen:       512,
	MaxArrayValues:     64,
	MaxStructFields:    -1,
}

// row shows a value as Delve's session does. expr evaluates to it again.
func row(v *proc.Variable, name, expr string) godap.Variable {
	return godap.Variable{
		Name:         name,
		Value:        api.ConvertVar(v).StringWithOptions("", "", api.PrettyShortenType),
		Type:         v.TypeString(),
		EvaluateName: expr,
	}
}
