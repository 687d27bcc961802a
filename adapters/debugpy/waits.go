package debugpy

import (
	"context"
	_ "embed" // the script
	"fmt"

	"aidb-mcp/adapters"
)

//go:embed boot/waits.py
var waitsScript string // evaluated in the program

// mostWaits are threads and tasks whose waits are looked at.
const mostWaits = 2000

// Blocked evaluates waits.py.
func (*dialect) Blocked(ctx context.Context, c adapters.Caller) (adapters.Waits, error) {
	var told adapters.Waits
	call := fmt.Sprintf(`(lambda n: (exec(%s, n), n["waits"](%d))[1])({})`, literalOf(waitsScript), mostWaits)
	err := evaluateJSON(ctx, c, call, &told)
	return told, err
}
