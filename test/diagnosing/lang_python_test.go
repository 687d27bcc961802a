//go:build linux

package diagnosing

import "slices"

func shopPython(way string) A { return A{"target": "faulty.py", "args": []string{way}} }

// hanging is a start that gives a program that does not end no more than it needs, beside
// the others that do not.
func hanging(start A) A {
	start["timeout_ms"] = 25_000
	return start
}

// secondRun is said where the run that failed was not the one whose calls are told.
const secondRun = "the program was run"

var meanPython = failure{
	Verdict: "exception", At: "faulty.py@zero", Culprit: "count", Value: "0", Message: "ZeroDivisionError: division by zero",
	Parts: []string{"total = 0", "count = 0"}, Lacks: []string{"site-packages", "__init__"},
}

// itself is a failure of which the run that failed tells the calls.
func (f failure) itself() failure {
	f.Lacks = append(slices.Clone(f.Lacks), secondRun)
	return f
}

var python = tongue{
	Name: "python", Long: []string{"chained", "fine", "library", "memory", "overflow", "task", "test_error", "thread", "zero"},
	Failures: map[string]failure{
		"member": {
			Start: shopPython("member"), Verdict: "exception", At: "faulty.py@member", Culprit: "order.customer", Value: "None",
			Message: "AttributeError: 'NoneType' object has no attribute 'address'",
			Parts:   []string{"order = Order(number=2, customer=None, prices=[])", "order.customer = None"},
			Frames:  []string{"faulty.py@member city_of order=Order(number=2, customer=None, prices=[]) upper=True", "faulty.py@member-caller member"},
			Locals:  []string{}, Calls: []string{"'TURIN'"}, Lacks: []string{"__init__", secondRun},
		},
		"index": {
			Start: shopPython("index"), Verdict: "exception", At: "faulty.py@index", Culprit: "shift", Value: "5", Why: "prices has 2 elements",
			Parts: []string{"prices = [30, 12]", "shift = 5"}, Locals: []string{}, Has: []string{`"arguments":{"prices":"[30, 12]","position":"4"}`},
		},
		"key": {
			Start: shopPython("key"), Verdict: "exception", At: "faulty.py@key", Culprit: "kind", Value: "'plain'", Why: "no key of rates",
			Parts: []string{"rates = {'gold': 3, 'silver': 5}", "kind = 'plain'"},
		},
		"zero":   meanPython.by(shopPython("zero")).itself(),
		"thread": meanPython.by(shopPython("thread")).itself(),
		"task":   meanPython.by(shopPython("task")).itself(),
		"awaits": {
			Start: shopPython("awaits"), Verdict: "exception", At: "faulty.py@awaits", Culprit: "name", Value: "'milk'",
			Calls: []string{"price_of(name='tea') 3"}, Lacks: []string{"StopIteration", "Future"},
		},
		"tasks": {Start: shopPython("tasks"), Verdict: "deadlock", At: "faulty.py@tasks", Message: "its tasks wait", Has: []string{"which it holds itself", `"function":"enter_twice"`}},
		"child": meanPython.by(shopPython("child")),
		"result": {
			Start: shopPython("result"), Verdict: "exception", At: "faulty.py@result", Culprit: "find(wanted)", Value: "None",
			Parts: []string{"wanted = 7", "find(wanted) = None"}, Calls: []string{"find(number=7) None"},
		},
		"chained": {
			Start: shopPython("chained"), Verdict: "exception", At: "faulty.py@chained", Message: "RuntimeError: order 2 cannot be settled",
			Has: []string{"ZeroDivisionError: division by zero"},
		},
		"exit_code": {Start: shopPython("exit_code"), Verdict: "exit_code", At: "faulty.py@exit-code", Has: []string{`"exit_code":3`, "settling"}, Lacks: []string{secondRun}},
		"caught":    {Start: shopPython("caught"), Verdict: "exit_code", At: "faulty.py@caught", Has: []string{"ZeroDivisionError: division by zero, caught", "cannot settle"}},
		"busy": {
			Start: shopPython("busy"), Verdict: "busy_loop", At: "faulty.py@busy|busy-step|busy-rounds",
			Has: []string{`"changed_variables":{"rounds"`},
		},
		"blocked": {Start: hanging(shopPython("blocked")), Verdict: "blocked", At: "faulty.py@blocked", Message: "a time to pass"},
		"network": {Start: hanging(shopPython("network")), Verdict: "blocked", At: "faulty.py@network", Message: "a connection"},
		"deadlock": {
			Start: shopPython("deadlock"), Verdict: "deadlock", At: "faulty.py@deadlock-till|deadlock-stock",
			Has: []string{"till, held by refunder", "stock, held by seller"},
		},
		"channel": {Start: shopPython("channel"), Verdict: "deadlock", At: "faulty.py@channel", Message: "an item in a queue"},
		"overflow": {
			Start: shopPython("overflow"), Verdict: "exception", At: "faulty.py@overflow|overflow-in", Message: "RecursionError: maximum recursion depth exceeded",
			Has: []string{`"times":9`}, Lacks: []string{"Traceback"},
		},
		"memory":  {Start: shopPython("memory"), Verdict: "exception", At: "faulty.py@memory", Message: "MemoryError"},
		"awaited": {Start: shopPython("awaited"), Verdict: "waiting_for_input", At: "faulty.py@input", Has: []string{"who?"}},
		"library": {
			Start: shopPython("library"), Verdict: "exception", At: "faulty.py@library", Message: "JSONDecodeError", Culprit: "text", Value: `'{"number": 1,}'`, Why: "json.loads could not take it", Parts: []string{`text = '{"number": 1,}'`},
		},
		"no_test": {Start: A{"test": "test_nothing"}, Verdict: "no_test_ran", Message: "test_discount"},
		"unbuilt": {Start: A{"target": "broken.py"}, Verdict: "build_failed", Message: "SyntaxError: '(' was never closed", Has: []string{`"location":"broken.py:1"`}},
		"test": {
			Start: A{"test": "test_discount"}, Verdict: "test_failure", At: "test_shop.py@pytest", Culprit: "discount(order, 25)", Value: "315.0",
			Left: "315.0", Right: "31.5", Calls: []string{"discount(", "percent=25)", "orders()"}, Lacks: []string{"site-packages", `"stdout":"F`, secondRun},
		},
		"test_unittest": {
			Start: A{"test": "ShopTest.test_prices"}, Verdict: "test_failure", At: "test_shop.py@unittest", Culprit: "discount(order, 50)", Value: "210.0",
			Left: "210.0", Right: "21",
		},
		"test_error": meanPython.by(A{"test": "test_mean"}).itself(),
		"fine":       {Start: shopPython("fine"), Verdict: "ok", Has: []string{"21.0"}},
	},
}
