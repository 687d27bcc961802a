//go:build linux

package tracing

var ruby = tongue{
	Name: "ruby", File: "ledger.rb", Start: A{"target": "ledger.rb"},
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `RATES["high"]`, "global": "$payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts["carol"].balance`, "alias": "book.fees", "reflection": "dan.balance",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
}
