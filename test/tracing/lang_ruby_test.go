//go:build linux

package tracing

var ruby = tongue{
	Name: "ruby", Long: []string{"captured", "global", "reflection", "thread"}, File: "ledger.rb", Start: A{"target": "ledger.rb"},
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `RATES["high"]`, "global": "$payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts["carol"].balance`, "alias": "book.fees", "reflection": "dan.balance",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
	Bugs: []bug{
		{
			Kind: "cache key", Program: "hunt", File: "invoices.rb", Start: A{"target": "invoices.rb"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "desk.price", "location": "@invoices", "steps": 5}, Guilty: "found", Says: []string{"13566"}},
				{Tool: "trace", Args: A{"what": "calls", "functions": []string{"Prices#of"}}, Guilty: "of", Says: []string{`"desk"`, `country="US"`, "13566"}},
			},
		},
		{
			Kind: "aliasing", Long: true, Program: "hunt", File: "rota.rb", Start: A{"target": "rota.rb"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "sunday.people", "location": "@rota", "steps": 3}, Guilty: "shared"},
			},
		},
		{
			Kind: "state carried over", Long: true, Program: "hunt", File: "meters.rb", Start: A{"target": "meters.rb"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "last.value", "location": "@meters", "steps": 3}, Guilty: "value", Says: []string{"@sign", "-1"}},
				{Tool: "why", Args: A{"expression": "@sign", "location": "@value", "condition": "reading.text == '113'"}, Guilty: "negative"},
			},
		},
	},
}
