//go:build linux

package tracing

var rust = tongue{
	Name: "rust", File: "src/main.rs", Start: A{"target": "."}, Env: withGDB(),
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `book.rates["high"]`, "global": "book.payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": "book.accounts[2].balance", "alias": "book.fees",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
	Not:       map[string]string{"calls in expressions": "a call of the program's"},
}
