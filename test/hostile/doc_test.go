// Package hostile holds the server against debug adapters that lie, hang, flood
// and die: in this process, where each wrong answer to each request takes no
// time, and against the built binary, where bytes, processes and memory are real.
//
// It must not know how the server defends itself.
package hostile

import (
	"io"
	"os"
	"testing"

	"aidb-mcp/internal/testkit"
)

// asAdapter makes an adapter of the test binary: its value is the directory with
// the program, whose text names the misdeed.
const asAdapter = "AIDB_HOSTILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(asAdapter); file != "" {
		misdeed := grave(os.Args[len(os.Args)-1])
		newAdapter(standard{os.Stdin, os.Stdout}, misdeed, os.Args[len(os.Args)-1]).serve()
		os.Exit(0)
	}
	os.Exit(testkit.MainWithRaces(m))
}

// standard are the standard streams; closing them ends the process.
type standard struct {
	io.Reader
	io.Writer
}

func (standard) Close() error {
	os.Exit(7)
	return nil
}
