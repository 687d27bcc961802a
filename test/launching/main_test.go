//go:build linux

// Package launching starts programs by the configurations of editors: with their
// tasks, their compounds and all that may be wrong with them.
package launching

import (
	"os"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// A shortens the arguments of calls.
type A = testkit.A

// startLimit is for starts on a busy machine.
const startLimit = 120_000
