//go:build linux

package tracing

var java = tongue{
	Name: "java", File: "Ledger.java", Start: A{"target": "Ledger.java"},
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `rates.get("high")`, "global": "payments",
		"captured": "counter[0]", "argument": "rate", "result": "part", "thread": `book.accounts.get("carol").balance`, "alias": "book.fees", "reflection": "dan.balance",
	},
	Functions: map[string]string{"fib": "fib", "fee": "Ledger.fee"},
	Not:       map[string]string{"caller": "reads the values of the function itself only"},
	Bugs: []bug{
		{
			Kind: "cache key", Program: "hunt", File: "Pricing.java", Start: A{"target": "Pricing.java"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "owed", "location": "@owed", "steps": 2}, Guilty: "total", Says: []string{"cents", "208"}},
				{Tool: "why", Args: A{"expression": "cents", "location": "@total", "condition": "cents == 208", "steps": 5}, Guilty: "stored", Says: []string{"sku3/2"}},
			},
		},
		{
			Kind: "stale index", Long: true, Program: "hunt", File: "Scheduler.java", Start: A{"target": "Scheduler.java"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "late", "location": "@late", "steps": 5}, Guilty: "started"},
				{Tool: "trace", Args: A{"what": "values", "location": "@take", "expressions": []string{"next", "size", "slots[next].id"}, "condition": "next > 15 && next < 20"}, Guilty: "take", Says: []string{"18", "39", "19"}},
			},
		},
		{
			Kind: "aliasing", Long: true, Program: "hunt", File: "Roster.java", Start: A{"target": "Roster.java"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "people", "location": "@short", "steps": 3}, Guilty: "holiday"},
			},
		},
	},
}
