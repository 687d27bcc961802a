package debugpy

import (
	"context"
	_ "embed"
	"fmt"

	"aidb-mcp/adapters"
)

//go:embed boot/rousing.py
var rousingScript string // evaluated in the program

// Rouse has the event loops of the program come round, so that they can be paused. Its code counts
// as the debugger's.
func (*dialect) Rouse(ctx context.Context, c adapters.Caller) error {
	call := fmt.Sprintf(`(lambda n: (exec(compile(%s, "pydevd.py", "exec"), n), n["rouse"]())[1])({})`, literalOf(rousingScript))
	_, err := evaluate(ctx, c, 0, call)
	return err
}
