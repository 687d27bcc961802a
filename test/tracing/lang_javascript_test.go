//go:build linux

package tracing

var javascript = tongue{
	Name: "javascript", File: "ledger.js", Start: A{"target": "ledger.js"},
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `rates.high`, "global": "payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts.carol.balance`, "alias": "book.fees",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
	Not:       map[string]string{"caller": "reads the values of the function itself only"},
}
