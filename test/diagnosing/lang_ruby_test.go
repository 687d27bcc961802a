//go:build linux

package diagnosing

func shopRuby(way string) A { return A{"target": "faulty.rb", "args": []string{way}} }

var meanRuby = failure{
	Verdict: "exception", At: "faulty.rb@zero", Culprit: "count", Value: "0", Message: "ZeroDivisionError: divided by 0",
	Parts: []string{"total = 0", "count = 0"}, Lacks: []string{"/gems/", "boot/"},
}

var ruby = tongue{
	Name: "ruby", Long: []string{"busy", "caught", "chained", "exit_code", "fine", "index", "library", "memory", "overflow", "task", "test_error", "thread", "zero"},
	Not: map[string]string{"child": "rdbg is in the program alone, not in those that it starts"},
	Failures: map[string]failure{
		"member": {
			Start: shopRuby("member"), Verdict: "exception", At: "faulty.rb@member", Culprit: "order.customer", Value: "nil",
			Message: "NoMethodError: undefined method `address' for nil",
			Parts:   []string{"order = #<Order @number=2, @customer=nil, @prices=[]>", "order.customer = nil"}, Locals: []string{},
		},
		"index": {
			Start: shopRuby("index"), Verdict: "exception", At: "faulty.rb@index", Culprit: "shift", Value: "5", Why: "prices has 2 elements",
			Parts: []string{"prices = [30, 12]", "shift = 5"}, Locals: []string{},
		},
		"key": {
			Start: shopRuby("key"), Verdict: "exception", At: "faulty.rb@key", Culprit: "kind", Value: `"plain"`, Why: "no key of rates",
			Parts: []string{`rates = {"gold"=>3, "silver"=>5}`, `kind = "plain"`},
		},
		"zero":   meanRuby.by(shopRuby("zero")),
		"thread": meanRuby.by(shopRuby("thread")),
		"task":   meanRuby.by(shopRuby("task")),
		"memory": {Start: shopRuby("memory"), Verdict: "exception", Message: "NoMemoryError"},
		"result": {Start: shopRuby("result"), Verdict: "exception", At: "faulty.rb@result", Culprit: "find(wanted)", Value: "nil", Parts: []string{"wanted = 7", "find(wanted) = nil"}},
		"chained": {
			Start: shopRuby("chained"), Verdict: "exception", At: "faulty.rb@chained", Message: "RuntimeError: order 2 cannot be settled",
			Has: []string{"ZeroDivisionError: divided by 0"},
		},
		"exit_code": {Start: shopRuby("exit_code"), Verdict: "exit_code", Has: []string{`"exit_code":3`, "settling"}},
		"caught":    {Start: shopRuby("caught"), Verdict: "exit_code", Has: []string{"cannot settle"}},
		"busy": {
			Start: shopRuby("busy"), Verdict: "busy_loop", At: "faulty.rb@busy|busy-step|busy-rounds",
			Has: []string{`"changed_variables":{"rounds"`},
		},
		"blocked":  {Start: hanging(shopRuby("blocked")), Verdict: "blocked", At: "faulty.rb@blocked", Message: "a time to pass"},
		"network":  {Start: hanging(shopRuby("network")), Verdict: "blocked", At: "faulty.rb@network", Message: "a connection"},
		"deadlock": {Start: shopRuby("deadlock"), Verdict: "deadlock", At: "faulty.rb@deadlock-till|deadlock-stock|deadlock-join"},
		"channel":  {Start: shopRuby("channel"), Verdict: "deadlock", At: "faulty.rb@channel", Message: "an item in a queue"},
		"overflow": {
			Start: shopRuby("overflow"), Verdict: "exception", At: "faulty.rb@overflow|overflow-in", Message: "SystemStackError: stack level too deep",
		},
		"awaited": {Start: shopRuby("awaited"), Verdict: "waiting_for_input", At: "faulty.rb@input", Has: []string{"who?"}},
		"library": {
			Start: shopRuby("library"), Verdict: "exception", At: "faulty.rb@library", Message: "JSON::ParserError", Culprit: "text", Value: `"{\"number\": 1,}"`,
			Why: "JSON.parse could not take it", Parts: []string{`text = "{\"number\": 1,}"`},
		},
		"no_test": {Start: A{"test": "test_nothing"}, Verdict: "no_test_ran", Message: "test_discount"},
		"unbuilt": {Start: A{"target": "broken.rb"}, Verdict: "build_failed", Message: "syntax error", Has: []string{`"location":"broken.rb:1"`}},
		"test": {
			Start: A{"test": "test_discount"}, Verdict: "test_failure", At: "shop_test.rb@minitest", Culprit: "discount(order, 25)", Value: "315.0",
			Left: "315.0", Right: "31.5", Lacks: []string{"/gems/"},
		},
		"test_rspec": {
			Start: A{"test": "a shop gives a discount"}, Verdict: "test_failure", At: "shop_spec.rb@rspec", Culprit: "discount(order, 25)", Value: "315.0",
			Left: "315.0", Right: "31.5",
		},
		"test_unit":  {Start: A{"test": "UnitTest#test_prices"}, Verdict: "test_failure", At: "unit_test.rb@unit", Left: "10", Right: "21"},
		"test_error": meanRuby.by(A{"test": "ShopTest#test_mean"}),
		"fine":       {Start: shopRuby("fine"), Verdict: "ok", Has: []string{"21"}},
	},
}
