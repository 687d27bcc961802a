package workspace_test

import (
	debugpy "aidb-mcp/adapters/debugpy/project"
	delve "aidb-mcp/adapters/delve/project"
	java "aidb-mcp/adapters/java/project"
	jsdebug "aidb-mcp/adapters/jsdebug/project"
	"aidb-mcp/adapters/native/project/cpp"
	"aidb-mcp/adapters/native/project/rust"
	"aidb-mcp/internal/project/workspace"
)

// known are all languages, given in the order of the registry.
var known = workspace.NewLanguages(&delve.Support, &debugpy.Support, &java.Support, &jsdebug.Support, &cpp.Support, &rust.Support)

// A script and a test of Python.
const (
	pyTest  = "import pytest\n\ndef test_one():\n    pass\n"
	pyGuard = "\nif __name__ == \"__main__\":\n    pass\n"
)
