//go:build linux

package tracing

var golang = tongue{
	Name: "go", File: "main.go", Start: A{"target": "."},
	Say: map[string]string{
		"local": "seen", "field": "bob.Balance", "element": "book.limits[70]", "entry": `rates["high"]`, "global": "payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts["carol"].Balance`, "alias": "book.fees",
	},
	Functions: map[string]string{"fib": "fib", "fee": "main.fee"},
	Not:       map[string]string{"caller": "reads the values of the function itself only"},
}
