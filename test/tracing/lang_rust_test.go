//go:build linux

package tracing

var rust = tongue{
	Ends: map[string]string{"result": "fee, returned returned"}, // cut.abs()
	Name: "rust", Like: "cpp", Long: []string{"argument", "captured", "element", "global", "reflection", "result", "thread"}, File: "src/main.rs", Start: A{"target": "."}, Env: withGDB(),
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `book.rates["high"]`, "global": "book.payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": "book.accounts[2].balance", "alias": "book.fees", "reflection": "dan.balance",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
	Not:       map[string]string{"each": "does not know the instances of a type", "calls in expressions": "a call of the program's"},
	Bugs: []bug{
		{
			Kind: "cache key", Program: "hunt", File: "prices.rs", Start: A{"target": "prices.rs"},
			Calls: []call{{Tool: "why", Args: A{"expression": "wrong.price", "location": "@order", "steps": 4}, Guilty: "kept", Says: []string{"112"}}},
		},
		{
			Kind: "a wrong branch in the 100th round", Long: true, Program: "hunt", File: "rounds.rs", Start: A{"target": "rounds.rs"},
			Calls: []call{
				{Tool: "trace", Args: A{"what": "values", "location": "@score", "expressions": []string{"self.round", "i", "bonus"}, "condition": "bonus < 0"}, Guilty: "score", Says: []string{"97", "-5000"}},
				{Tool: "why", Args: A{"expression": "bonus", "location": "@score", "condition": "bonus < 0", "steps": 2}, Guilty: "wrong", Says: []string{"returned"}},
			},
		},
		{
			Kind: "state carried over", Long: true, Program: "hunt", File: "meters.rs", Start: A{"target": "meters.rs"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "last.value", "location": "@meters", "steps": 3}, Guilty: "number", Says: []string{"sign: -1"}},
				{Tool: "why", Args: A{"expression": "self.sign", "location": "@signed"}, Guilty: "negative"},
			},
		},
	},
}

// rustLLDB is the same where there is no gdb that is new enough.
var rustLLDB = without(rust)
