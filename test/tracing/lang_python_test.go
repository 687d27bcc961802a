//go:build linux

package tracing

var python = tongue{
	Name: "python", Long: []string{"captured", "global", "reflection", "thread"}, File: "ledger.py", Start: A{"target": "ledger.py"},
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `rates["high"]`, "global": "payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts["carol"].balance`, "alias": "book.fees", "reflection": "dan.balance",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
	Bugs: []bug{
		{
			Kind: "cache key", Program: "hunt", File: "invoices.py", Start: A{"target": "invoices.py"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "desk.price", "location": "@invoices", "steps": 5}, Guilty: "kept", Says: []string{"('desk', 'ann')"}},
				{Tool: "trace", Args: A{"what": "calls", "functions": []string{"Prices.of"}}, Guilty: "of", Says: []string{"'desk'", "country='US'", "13566"}},
			},
		},
		{
			Kind: "aliasing", Long: true, Program: "hunt", File: "rota.py", Start: A{"target": "rota.py"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "sunday.people", "location": "@rota", "steps": 3}, Guilty: "shared"},
			},
		},
		{
			Kind: "state carried over", Program: "hunt", File: "meters.py", Start: A{"target": "meters.py"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "last.value", "location": "@meters", "steps": 3}, Guilty: "value", Says: []string{"self.sign", "-1"}},
				{Tool: "why", Args: A{"expression": "self.sign", "location": "@value", "condition": "reading.text == '113'"}, Guilty: "negative"},
			},
		},
	},
}
