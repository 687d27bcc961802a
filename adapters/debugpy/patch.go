package debugpy

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"aidb-mcp/adapters"
)

// Patch evaluates patch.py in the frame: it finds the function in the running
// program, compiles the new definition in its place and puts it there.
func (*dialect) Patch(ctx context.Context, c adapters.Caller, _, frame int, p adapters.Patch) (adapters.Patched, error) {
	expression := fmt.Sprintf(`(lambda n, l: (exec(%s, n), n["patch"](%s, %s, %s, globals(), l))[1])({}, locals())`,
		literalOf(patchScript), literalOf(p.Code), literalOf(p.Name), literalOf(p.File))
	result, err := evaluate(ctx, c, frame, expression)
	if err != nil {
		return adapters.Patched{}, err
	}
	text, err := hex.DecodeString(strings.Trim(result, `'"`))
	if err != nil {
		return adapters.Patched{}, fmt.Errorf("reading what was patched: %w", err)
	}
	var done struct {
		Name  string   `json:"name"`
		Notes []string `json:"notes"`
	}
	if err := json.Unmarshal(text, &done); err != nil {
		return adapters.Patched{}, fmt.Errorf("reading what was patched: %w", err)
	}
	return adapters.Patched{Name: done.Name, Notes: done.Notes}, nil
}

// literalOf writes a text as Python reads it back.
func literalOf(text string) string {
	return `bytes.fromhex("` + hex.EncodeToString([]byte(text)) + `").decode()`
}
