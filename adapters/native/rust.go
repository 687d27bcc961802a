package native

import (
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/native/binary"
)

// rustMain is the main function of a Rust program: "main" alone is the C
// runtime's.
func rustMain(binary.Binary) string { return "main" }

func rustVariables(_ string, vars []godap.Variable) []godap.Variable { return vars }
