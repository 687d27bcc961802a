package tools

import _ "embed"

// Instructions is what the server tells a client about itself, once.
//
//go:embed instructions.md
var Instructions string
