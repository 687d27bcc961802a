//go:build linux

// Package attached ends sessions that are attached to somebody's production, in
// every way and state, and looks at the program afterwards: it must go on as if
// nobody had ever been there.
//
// A cell is a language, a state of its session and an ending:
//
//	go test ./test/attached -run 'TestEndings/go/logpoint/stop' -repeat 15
//
// Without a cell a short fixed list runs; with AIDB_LONG, or with -endings, as many
// as that, chosen by -seed, and a table of what became of them.
package attached

import (
	"flag"
	"os"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A shortens the arguments of calls.
type A = testkit.A

var (
	amount = flag.Int("endings", 0, "how many endings are chosen; 0: a short list, or with AIDB_LONG 220")
	seed   = flag.Uint64("seed", 1, "where the choice begins")
	repeat = flag.Int("repeat", 1, "how often each of them comes")
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }
