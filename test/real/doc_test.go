//go:build linux

// Package real drives the built server on real code: projects that others wrote,
// as their registries publish them, each with one or two journeys that an agent
// would make there: the failing test, the crash, the server with a request, the
// big value.
//
// A project ([project]) is a value: where its code comes from, pinned by the
// registry's own checksum (registry.Pin), what is changed in it ([edit]), and the
// commands that build it. Files of ours that it needs (a failing test, a script
// that uses a library) lie in testdata/<name> and are put beside the real code.
// A journey ([journey]) is a function that reads like the story of an agent:
// calls, and what must be true of the replies. The truth comes from the program
// itself: what it prints, or what its test framework reports, in a run without
// the debugger ([story.truth]).
//
// Projects are fetched and built once, into the folder AIDB_REAL, by default
// real below AIDB_HOME, and debugged there. Without a flag the projects run that
// are small enough, some of them in the long run alone; "make test-real", which is
//
//	go test ./test/real -all
//
// runs all of them. The table of projects stands in docs/languages.md:
//
//	go test ./test/real -run TestDocumentation -update
package real

import (
	"flag"
	"os"
	"testing"

	"aidb-mcp/internal/testkit"
)

var all = flag.Bool("all", false, "run every project, not only the small ones")

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(testkit.Main(m))
}
