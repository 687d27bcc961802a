//go:build linux

package tracing

var python = tongue{
	Name: "python", File: "ledger.py", Start: A{"target": "ledger.py"},
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `rates["high"]`, "global": "payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts["carol"].balance`, "alias": "book.fees",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
}
