//go:build linux

package tracing

var golang = tongue{
	Name: "go", File: "main.go", Start: A{"target": "."},
	Say: map[string]string{
		"local": "seen", "field": "bob.Balance", "element": "book.limits[70]", "entry": `rates["high"]`, "global": "payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts["carol"].Balance`, "alias": "book.fees", "reflection": "dan.Balance",
	},
	Functions: map[string]string{"fib": "fib", "fee": "main.fee"},
	Not:       map[string]string{"each": "does not know the instances of a type", "caller": "reads the values of the function itself only"},
	Bugs: []bug{
		{
			Kind: "aliasing", Program: "hunt", File: "reports/main.go", Start: A{"target": "./reports"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "first", "location": "@garbled", "steps": 3}, Guilty: "appended", Says: []string{"cap: 8", "one shelf"}},
			},
		},
		{
			Kind: "stale index", Program: "hunt", File: "stock/main.go", Start: A{"target": "./stock"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "left", "location": "@short", "steps": 4}, Guilty: "sold", Says: []string{"35", "28", "main.main.func4"}},
				{Tool: "why", Args: A{"expression": "at", "location": "@sold", "condition": `a.name == "shelf" && pieces == 7`, "steps": 3}, Guilty: "indexed"},
			},
		},
		{
			Kind: "cache key", Long: true, Program: "hunt", File: "prices/main.go", Start: A{"target": "./prices"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "lamp", "location": "@euros", "steps": 5}, Guilty: "kept"},
			},
		},
	},
}
