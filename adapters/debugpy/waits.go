package debugpy

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"aidb-mcp/adapters"
)

//go:embed boot/holding.py boot/standing.py boot/deferring.py boot/waits.py
var waitsScripts embed.FS // evaluated in the program, as one text in this order

// mostWaits are threads and tasks whose waits are looked at.
const mostWaits = 2000

// waitsScript is that text.
func waitsScript() (string, error) {
	var whole strings.Builder
	for _, name := range []string{"holding", "standing", "deferring", "waits"} {
		text, err := waitsScripts.ReadFile("boot/" + name + ".py")
		if err != nil {
			return "", fmt.Errorf("reading the script that looks for waits: %w", err)
		}
		whole.Write(text)
	}
	return whole.String(), nil
}

// Blocked evaluates waits.py.
func (*dialect) Blocked(ctx context.Context, c adapters.Caller) (adapters.Waits, error) {
	var waits adapters.Waits
	script, err := waitsScript()
	if err != nil {
		return waits, err
	}
	call := fmt.Sprintf(`(lambda n: (exec(%s, n), n["waits"](%d))[1])({})`, literalOf(script), mostWaits)
	err = evaluateJSON(ctx, c, call, &waits)
	return waits, err
}
