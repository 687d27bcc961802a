//go:build linux

package tracing

var javascript = tongue{
	Name: "javascript", File: "ledger.js", Start: A{"target": "ledger.js"},
	Say: map[string]string{
		"local": "seen", "field": "bob.balance", "element": "book.limits[70]", "entry": `rates.high`, "global": "payments",
		"captured": "counter", "argument": "rate", "result": "part", "thread": `book.accounts.carol.balance`, "alias": "book.fees", "reflection": "dan.balance",
	},
	Functions: map[string]string{"fib": "fib", "fee": "fee"},
	Not:       map[string]string{"caller": "reads the values of the function itself only"},
	Bugs: []bug{
		{
			Kind: "cache key", Program: "hunt", File: "invoices.js", Start: A{"target": "invoices.js"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "desk.price", "location": "@invoices", "steps": 5}, Guilty: "kept", Says: []string{"'desk/plain'"}},
				{Tool: "trace", Args: A{"what": "calls", "functions": []string{"Prices.of"}}, Guilty: "of", Says: []string{"'desk'", "'US'", "14124"}},
			},
		},
		{
			Kind: "stale index", Long: true, Program: "hunt", File: "board.js", Start: A{"target": "board.js"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "this.players[this.leader]", "location": "@compared"}, Guilty: "left", Says: []string{"Board.leave"}},
				{Tool: "why", Args: A{"expression": "this.leader", "location": "@compared"}, Guilty: "leads", Says: []string{"3"}},
			},
		},
		{
			Kind: "event order", Program: "hunt", File: "queue.js", Start: A{"target": "queue.js"},
			Calls: []call{
				{Tool: "why", Args: A{"expression": "state", "location": "@queue", "steps": 3}, Guilty: "retry", Says: []string{"'done'"}},
				{Tool: "trace", Args: A{"what": "writes", "expression": "first.state", "location": "@queue"}, Guilty: "state", Says: []string{"'done'", "'retrying'"}},
			},
		},
	},
}
