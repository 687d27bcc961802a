package native

import (
	"context"
	"fmt"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/binary"
	"aidb-mcp/adapters/prepare"
)

// Files are the user's sources that the program was built from.
func (*adapter) Files(_ context.Context, r adapters.Request) []string {
	path := fmt.Sprintf("/proc/%d/exe", r.PID)
	if r.PID == 0 {
		path = prepare.Locate(r, r.Target)
	}
	b, err := binary.Inspect(path)
	if err != nil {
		return nil
	}
	var files []string
	for _, file := range b.Sources {
		if !binary.System(file) {
			files = append(files, file)
		}
	}
	return files
}
