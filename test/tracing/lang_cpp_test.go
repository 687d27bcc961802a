//go:build linux

package tracing

import (
	"os"
	"path/filepath"

	"aidb-mcp/internal/testkit"
)

var cpp = tongue{
	Name: "cpp", Long: []string{"element", "global"}, File: "ledger.cpp", Start: A{"target": "ledger.cpp"}, Env: withGDB(),
	Say: map[string]string{
		"local": "seen", "field": "bob->balance", "element": "book.limits[70]", "entry": `rates["high"]`, "global": "payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts["carol"]->balance`, "alias": "book.fees", "reflection": "dan.balance",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
	Not:       map[string]string{"each": "does not know the instances of a type", "calls in expressions": "a call of the program's"},
	Bugs: []bug{
		{
			Kind: "stale index", Program: "hunt", File: "catalogue.cpp", Start: A{"target": "catalogue.cpp"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "lamp->price", "location": "@report"}, Guilty: "reprice", Says: []string{"25", "650", "sale"}},
				{Tool: "why", Args: A{"expression": "slot", "location": "@reprice", "condition": "number == 15", "steps": 2}, Guilty: "placed", Says: []string{"4"}},
			},
		},
		{
			Kind: "aliasing", Long: true, Program: "hunt", File: "tariffs.cpp", Start: A{"target": "tariffs.cpp"},
			Calls: []call{{Tool: "why", Args: A{"expression": "rate", "location": "@invoice", "steps": 2}, Guilty: "discount", Says: []string{"reward"}}},
		},
		{
			Kind: "state carried over", Long: true, Program: "hunt", File: "meters.cpp", Start: A{"target": "meters.cpp"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "last.value", "location": "@meters", "steps": 3}, Guilty: "put", Says: []string{"made"}},
				{Tool: "why", Args: A{"expression": "sign", "location": "@signed"}, Guilty: "negative"},
			},
		},
	},
}

// withGDB has the gdb that the tests bring along found before the machine's.
func withGDB() []string {
	dir := filepath.Join(testkit.Home(), "gdb", "bin")
	return []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
}

// cppLLDB is the same where there is no gdb that is new enough.
var cppLLDB = without(cpp)

func without(l tongue) tongue {
	l.Name, l.Folder, l.Env, l.Second = l.Name+"-lldb", l.Name, nil, true
	return l
}
