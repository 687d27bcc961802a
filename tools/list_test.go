package tools_test

import (
	"aidb-mcp/handlers"
	"aidb-mcp/tools"
)

func init() { tools.SetAll(handlers.Definitions(0)) }
