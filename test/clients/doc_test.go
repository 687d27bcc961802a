//go:build linux

// Package clients drives the built server with real clients: the software
// development kits, the inspector, and the command-line agents that people
// register it in, fetched from their registries at the versions of testdata's
// lock files. Each finds the bug of one program with one call of session_start.
//
// The agents think with a model on the loopback ([model]) that knows a script
// instead of a language, so that no account is needed, and so that the tests see
// what a model would be shown. They are registered with what README.md tells
// people to paste ([pasted]). Nothing that a client asks for goes further than
// the loopback.
//
// Clients are fetched once, into the folder AIDB_CLIENTS, by default clients
// below AIDB_HOME. One that a machine cannot run is told in the table at the end
// of the log, with the reason; too few of them fail the test:
//
//	make test-clients
//
// The table of docs/clients.md is written by
//
//	go test ./test/clients -run TestDocumentation -update
package clients

import (
	"os"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }
