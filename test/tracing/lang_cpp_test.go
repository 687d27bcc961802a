//go:build linux

package tracing

import (
	"os"
	"path/filepath"

	"aidb-mcp/internal/testkit"
)

var cpp = tongue{
	Name: "cpp", File: "ledger.cpp", Start: A{"target": "ledger.cpp"}, Env: withGDB(),
	Say: map[string]string{
		"local": "seen", "field": "bob->balance", "element": "book.limits[70]", "entry": `rates["high"]`, "global": "payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts["carol"]->balance`, "alias": "book.fees",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
	Not:       map[string]string{"calls in expressions": "a call of the program's"},
}

// withGDB has the gdb that the tests bring along found before the machine's.
func withGDB() []string {
	dir := filepath.Join(testkit.Home(), "gdb", "bin")
	return []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
}
