//go:build (linux || darwin) && (amd64 || arm64)

package serve

import (
	"errors"
	"path/filepath"
	"testing"

	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/system/boundedfile/boundedfiletest"
)

// A named pipe or a device in the program's place is not waited for.
func TestPipeInPlaceOfTheProgram(t *testing.T) {
	dir := t.TempDir()
	pipe, zero := filepath.Join(dir, "pipe"), filepath.Join(dir, "zero")
	boundedfiletest.Endless(t, pipe, zero)
	boundedfiletest.InTime(t, func() {
		for _, path := range []string{pipe, zero} {
			if info, err := BuildInfo(path); !errors.Is(err, boundedfile.ErrNot) {
				t.Errorf("%s: %v, %v", path, info, err)
			}
			if err := checkGo(wire.Start{Mode: "exec", Program: path}); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
}
