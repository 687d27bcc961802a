//go:build (darwin && (amd64 || arm64)) || (windows && amd64)

package serve

import "aidb-mcp/adapters/delve/wire"

// code is for Linux, where the program is let go by hand.
type code struct{}

func (*front) letGo() (wire.Left, bool) { return wire.Left{}, false }

func (*front) rememberCode(int) {}

func wholly(int) bool { return true }
