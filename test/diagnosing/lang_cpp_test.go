//go:build linux

package diagnosing

func shopCpp(way string) A { return A{"target": "faulty.cpp", "args": []string{way}} }

func shopC(way string) A { return A{"target": "faulty.c", "args": []string{way}} }

func googleTest(name string) A {
	return A{"target": "googletests.cpp", "test": name, "start": A{"build_args": []string{"-lgtest", "-lgtest_main", "-pthread"}}}
}

// sanitized builds with a sanitizer.
func sanitized(way, by string) A {
	return A{"target": "faulty.cpp", "args": []string{way}, "start": A{"build_args": []string{"-fsanitize=" + by}}}
}

var cpp = tongue{
	Name: "cpp", Long: []string{
		"abort", "array", "busy", "exit_code", "freed", "google_costs", "google_throws", "key", "library", "list", "member_in_c", "memory", "network", "no_test", "races", "shifted", "test_error", "thread",
		"zero",
	},
	Failures: map[string]failure{
		"member": {
			Start: shopCpp("null"), Verdict: "signal", At: "faulty.cpp@null", Culprit: "order->customer->address", Value: "nullptr", Message: "SIGSEGV",
			Locals: []string{}, Lacks: []string{"made again"},
		},
		"member_in_c": {Start: shopC("null"), Verdict: "signal", At: "faulty.c@c-null", Culprit: "o->customer->address", Value: "nullptr"},
		"called": {
			Start: shopCpp("called"), Verdict: "signal", At: "faulty.cpp@called", Culprit: "shop.find(id)", Value: "nullptr",
			Parts: []string{`shop = {stock:size=2 {"milk": 1, "tea": 3}, orders:size=0 {}}`, `id = "o1"`, "shop.find(id) = nullptr"}, Calls: []string{`id="o1") nullptr`},
		},
		"index": {
			Start: shopCpp("index"), Verdict: "exception", At: "faulty.cpp@index", Culprit: "from + n", Value: "5", Why: "values has 3 elements",
			Message: "std::out_of_range", Parts: []string{"values = size=3 {10, 20, 30}", "from = 2", "n = 3", "from + n = 5"}, Locals: []string{}, Lacks: []string{"terminate called"},
		},
		"array": {Start: shopCpp("array"), Verdict: "exception", At: "faulty.cpp@array", Culprit: "column", Value: "4", Why: "row has 4 elements"},
		"key": {
			Start: shopCpp("key"), Verdict: "exception", At: "faulty.cpp@key", Culprit: "item", Value: `"honey"`, Why: "no key of stock", Message: "map::at",
		},
		"zero": {Start: shopCpp("zero"), Verdict: "signal", At: "faulty.cpp@zero", Culprit: "people", Value: "0", Message: "SIGFPE"},
		"result": {
			Start: shopCpp("optional"), Verdict: "exception", At: "faulty.cpp@optional", Culprit: "ages.at(who)", Why: "empty", Message: "std::bad_optional_access",
		},
		"thrown":  {Start: shopCpp("throw"), Verdict: "exception", At: "faulty.cpp@thrown", Culprit: "age", Value: "-4", Message: "std::runtime_error: an age of -4 cannot be", Parts: []string{"age = -4"}},
		"assert":  {Start: shopCpp("assert"), Verdict: "signal", At: "faulty.cpp@assert", Message: "Assertion", Parts: []string{"low = 5", "high = 3"}},
		"abort":   {Start: shopCpp("abort"), Verdict: "signal", At: "faulty.cpp@abort", Message: "SIGABRT", Has: []string{"gave up: nothing left"}},
		"list":    {Start: shopCpp("list"), Verdict: "signal", At: "faulty.cpp@list", Culprit: "list", Value: "nullptr"},
		"freed":   {Start: sanitized("freed", "address"), Verdict: "exception", At: "faulty.cpp@freed", Message: "heap-use-after-free", Has: []string{`"report":"==`, "freed by thread"}, Lacks: []string{"Shadow bytes"}, Most: 6000},
		"races":   {Start: sanitized("race", "thread"), Verdict: "exception", At: "faulty.cpp@race", Message: "data race", Has: []string{`"report":"`}, Lacks: []string{"ReportTypeRace"}, Most: 6000},
		"shifted": {Start: sanitized("overflow", "undefined"), Verdict: "exception", At: "faulty.cpp@overflow", Message: "signed-integer-overflow", Parts: []string{"one = 1073741824", "by = 4"}},
		"exit_code": {
			Start: shopCpp("exit"), Verdict: "exit_code", Has: []string{`"exit_code":3`, "no such file: shop.txt"},
		},
		"caught":   {Start: shopCpp("caught"), Verdict: "exit_code", Has: []string{`"exit_code":4`, "cannot settle"}, Calls: []string{"check(age=-4)"}},
		"busy":     {Start: shopCpp("busy"), Verdict: "busy_loop", Has: []string{`"steps":{"old"`}},
		"blocked":  {Start: hanging(shopCpp("blocked")), Verdict: "blocked", At: "faulty.cpp@blocked"},
		"network":  {Start: hanging(shopCpp("network")), Verdict: "blocked", At: "faulty.cpp@network"},
		"deadlock": {Start: hanging(shopCpp("deadlock")), Verdict: "deadlock", At: "faulty.cpp@lock", Has: []string{"mutex (first, held by thread", "mutex (second, held by thread"}},
		"channel":  {Start: hanging(shopCpp("channel")), Verdict: "deadlock", At: "faulty.cpp@channel", Has: []string{"condition variable"}},
		"overflow": {Start: shopCpp("deep"), Verdict: "signal", Message: "stack overflow", Has: []string{"depth(long, long); stack overflow: a recursion of"}},
		"memory":   {Start: shopCpp("memory"), Verdict: "exception", At: "faulty.cpp@memory", Message: "std::bad_alloc"},
		"awaited":  {Start: hanging(shopCpp("input")), Verdict: "waiting_for_input"},
		"thread":   {Start: shopCpp("thread"), Verdict: "signal", At: "faulty.cpp@thread", Culprit: "order.customer", Value: "nullptr"},
		"library":  {Start: shopCpp("library"), Verdict: "exception", At: "faulty.cpp@library", Message: "stoi", Culprit: "text", Value: `"twelve"`, Why: "stoi could not take it", Parts: []string{`text = "twelve"`}},
		"unbuilt":  {Start: A{"target": "unbuilt.cpp"}, Verdict: "build_failed", At: "unbuilt.cpp@unbuilt", Message: "invalid conversion"},
		"no_test":  {Start: A{"target": "doctests.cpp", "test": "add"}, Verdict: "no_test_ran", Message: "adds"},
		"test": {
			Start: A{"target": "doctests.cpp", "test": "adds"}, Verdict: "test_failure", At: "doctests.cpp@adds", Culprit: "add(2, 3)", Value: "5",
			Left: "5", Right: "6", Calls: []string{"add(a=2, b=3) 5"},
		},
		"test_error": {
			Start: A{"target": "doctests.cpp", "test": "breaks"}, Verdict: "signal", At: "doctests.cpp@breaks", Culprit: "basket", Value: "nullptr",
		},
		"google": {
			Start: googleTest("CartTest.Reduces"), Verdict: "test_failure", At: "googletests.cpp@reduces", Message: "cart.total() - off (which is 38), 30",
			Parts: []string{"cart = {prices:size=2 {30, 12}}", "off = 4"}, Left: "38", Right: "30", Calls: []string{"prices:size=2 {30, 12}}) 42"},
		},
		"google_costs": {
			Start: googleTest("CartTest.Costs"), Verdict: "test_failure", At: "googletests.cpp@costs", Message: "too cheap", Culprit: "cart.total()", Value: "42",
			Lacks: []string{"[ RUN"},
		},
		"google_throws": {
			Start: googleTest("CartTest.Throws"), Verdict: "exception", At: "googletests.cpp@throws", Message: "std::out_of_range",
			Culprit: "none.prices", Value: "size=0 {}", Why: "no elements",
		},
		"fine": {Start: shopCpp("ok"), Verdict: "ok"},
	},
	Not: map[string]string{
		"task":  "it has only threads",
		"child": "only the parent knows how its child ended",
	},
}
