//go:build linux

package tracing

var java = tongue{
	Name: "java", File: "Ledger.java", Start: A{"target": "Ledger.java"},
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `rates.get("high")`, "global": "payments",
		"captured": "counter[0]", "argument": "rate", "result": "part", "thread": `book.accounts.get("carol").balance`, "alias": "book.fees",
	},
	Functions: map[string]string{"fib": "fib", "fee": "Ledger.fee"},
	Not:       map[string]string{"caller": "reads the values of the function itself only"},
}
