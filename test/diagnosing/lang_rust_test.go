//go:build linux

package diagnosing

func shopRust(way string) A { return A{"target": ".", "args": []string{way}} }

var rust = tongue{
	Name: "rust", Long: []string{
		"abort", "awaited", "borrow", "busy", "caught", "chain", "exit_code", "fine", "key", "less", "library", "memory", "network", "overflow", "parse", "slice", "test_error", "test_in_words",
		"thread", "zero",
	},
	Failures: map[string]failure{
		"member": {
			Start: shopRust("member"), Verdict: "panic", At: "src/main.rs@member", Culprit: "customer.address", Value: "None", Message: "an address",
			Parts: []string{`customer = Customer { name: "Nobody", address: None }`, "customer.address = None"}, Locals: []string{}, Lacks: []string{"stack backtrace"},
		},
		"chain": {
			Start: shopRust("chain"), Verdict: "panic", At: "src/main.rs@chain", Culprit: "order.customer.as_ref().unwrap().address.as_ref()", Why: "empty",
		},
		"index": {
			Start: shopRust("index"), Verdict: "panic", At: "src/main.rs@index", Culprit: "from + n", Value: "5", Why: "values has 3 elements",
			Message: "the len is 3 but the index is 5", Parts: []string{"values = size=3 [10, 20, 30]", "from = 2", "n = 3", "from + n = 5"},
		},
		"slice":    {Start: shopRust("slice"), Verdict: "panic", At: "src/main.rs@slice", Culprit: "from + 3", Value: "5", Why: "text has 4 characters"},
		"key":      {Start: shopRust("key"), Verdict: "panic", At: "src/main.rs@key", Culprit: "item", Value: `"honey"`, Why: "no key of self.stock"},
		"zero":     {Start: shopRust("zero"), Verdict: "panic", At: "src/main.rs@zero", Culprit: "people", Value: "0", Message: "attempt to divide by zero"},
		"less":     {Start: shopRust("overflow"), Verdict: "panic", At: "src/main.rs@overflow", Message: "subtract with overflow", Parts: []string{"small = 3", "big = 7"}},
		"result":   {Start: shopRust("called"), Verdict: "panic", At: "src/main.rs@called", Culprit: "self.find(id)", Value: "None"},
		"parse":    {Start: shopRust("parse"), Verdict: "panic", At: "src/main.rs@parse", Culprit: "text.trim().parse()", Why: "Err(ParseIntError"},
		"borrow":   {Start: shopRust("borrow"), Verdict: "panic", At: "src/main.rs@borrow", Message: "already borrowed"},
		"abort":    {Start: shopRust("abort"), Verdict: "signal", At: "src/main.rs@abort", Message: "SIGABRT"},
		"busy":     {Start: shopRust("busy"), Verdict: "busy_loop", Has: []string{`"steps":{"old"`}},
		"blocked":  {Start: hanging(shopRust("network")), Verdict: "blocked", At: "src/main.rs@network"},
		"deadlock": {Start: hanging(shopRust("deadlock")), Verdict: "deadlock", At: "src/main.rs@lock", Has: []string{"waits: mutex"}},
		"channel":  {Start: hanging(shopRust("blocked")), Verdict: "deadlock", At: "src/main.rs@blocked", Message: "channel"},
		"network":  {Start: hanging(shopRust("network")), Verdict: "blocked", At: "src/main.rs@network"},
		"overflow": {Start: shopRust("deep"), Verdict: "signal", Message: "stack overflow", Has: []string{"faulty::depth"}},
		"memory":   {Start: shopRust("memory"), Verdict: "signal", At: "src/main.rs@memory", Message: "memory allocation of 100000000000000 bytes failed"},
		"awaited":  {Start: hanging(shopRust("input")), Verdict: "waiting_for_input"},
		"thread":   {Start: shopRust("thread"), Verdict: "panic", At: "src/main.rs@thread", Message: "on a `None` value"},
		"library":  {Start: shopRust("library"), Verdict: "panic", At: "src/main.rs@library", Message: "swap_remove", Parts: []string{"list = size=2 [1, 2]", "n = 7"}},
		"exit_code": {
			Start: shopRust("exit"), Verdict: "exit_code", Has: []string{`"exit_code":3`, "no such file: shop.txt"},
		},
		"caught":  {Start: shopRust("caught"), Verdict: "exit_code", Has: []string{`"exit_code":4`, "cannot settle"}, Calls: []string{`Err("an age of -4 cannot be")`}},
		"no_test": {Start: A{"test": "tests::total"}, Verdict: "no_test_ran", Message: "tests::totals"},
		"test": {
			Start: A{"test": "tests::adds"}, Verdict: "test_failure", At: "src/lib.rs@adds", Culprit: "add(2, 3)", Value: "5", Left: "5", Right: "6",
			Calls: []string{"faulty::add(a=2, b=3) 5"}, Lacks: []string{"getopts", "stack backtrace"},
		},
		"test_in_words": {
			Start: A{"test": "tests::totals"}, Verdict: "test_failure", Parts: []string{"total = 8", `basket = Basket { items: [("tea", 3), ("milk", 1)] }`, `basket.items = size=2 [("tea", 3), ("milk", 1)]`}, Message: "the total of 2 items",
			Calls: []string{"faulty::doubled(price=3) 6"},
		},
		"test_error": {Start: A{"test": "tests::returns"}, Verdict: "test_failure", Message: "sum is 2"},
		"fine":       {Start: shopRust("ok"), Verdict: "ok"},
	},
	Not: map[string]string{
		"task":    "it has only threads",
		"child":   "only the parent knows how its child ended",
		"unbuilt": "a crate is built as a whole, so the other failures could not be tested",
	},
}
