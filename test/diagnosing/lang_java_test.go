//go:build linux

package diagnosing

func shopJava(way string) A { return A{"target": "Faulty.java", "args": []string{way}} }

var java = tongue{
	Name: "java", Long: []string{"caught", "cause", "char", "element", "exit_code", "fine", "lambda", "library", "list", "optional", "overflow", "ternary", "thread", "zero"},
	Failures: map[string]failure{
		"member": {
			Start: shopJava("member"), Verdict: "exception", At: "Faulty.java@member", Culprit: "order.customer.address", Value: "null",
			Message: `because "order.customer.address" is null`, Locals: []string{}, Lacks: []string{"<init>", "made again"},
		},
		"index": {
			Start: shopJava("index"), Verdict: "exception", At: "Faulty.java@index", Culprit: "from + n", Value: "5", Why: "values has 3 elements",
			Parts: []string{"values = int[3] {10, 20, 30}", "from = 2", "n = 3", "from + n = 5"},
		},
		"list": {Start: shopJava("list"), Verdict: "exception", At: "Faulty.java@list", Culprit: "at + 1", Value: "5", Why: "names has 2 elements"},
		"char": {Start: shopJava("char"), Verdict: "exception", At: "Faulty.java@char", Culprit: "at", Value: "5", Why: "word has 3 characters"},
		"key": {
			Start: shopJava("key"), Verdict: "exception", At: "Faulty.java@key", Culprit: "stock.get(item)", Why: "returned null",
		},
		"element":  {Start: shopJava("element"), Verdict: "exception", At: "Faulty.java@element", Message: "NoSuchElementException"},
		"zero":     {Start: shopJava("zero"), Verdict: "exception", At: "Faulty.java@zero", Culprit: "people", Value: "0", Message: "/ by zero"},
		"result":   {Start: shopJava("result"), Verdict: "exception", At: "Faulty.java@result", Culprit: "find(id)", Value: "null", Calls: []string{`Faulty.find(id="o1") null`}, Lacks: []string{"a second time"}},
		"thrown":   {Start: shopJava("throw"), Verdict: "exception", At: "Faulty.java@thrown", Culprit: "age", Value: "-4", Message: "an age of -4 cannot be", Parts: []string{"age = -4"}},
		"cause":    {Start: shopJava("cause"), Verdict: "exception", At: "Faulty.java@cause", Message: "cannot load shop.txt", Has: []string{"an age of -4 cannot be"}},
		"optional": {Start: shopJava("optional"), Verdict: "exception", At: "Faulty.java@optional", Culprit: "name", Value: "Optional.empty"},
		"lambda":   {Start: shopJava("lambda"), Verdict: "exception", At: "Faulty.java@lambda", Culprit: "n", Value: "null", Parts: []string{"n = null"}},
		"ternary":  {Start: shopJava("ternary"), Verdict: "exception", At: "Faulty.java@ternary", Culprit: "order.customer", Value: "null"},
		"busy":     {Start: shopJava("busy"), Verdict: "busy_loop", Has: []string{`"steps":{"old"`}},
		"blocked":  {Start: hanging(shopJava("blocked")), Verdict: "blocked", At: "Faulty.java@blocked"},
		"latched":  {Start: hanging(shopJava("latched")), Verdict: "deadlock", At: "Faulty.java@latched", Has: []string{"CountDownLatch"}},
		"network":  {Start: hanging(shopJava("network")), Verdict: "blocked", At: "Faulty.java@network", Message: "it waits for input"},
		"deadlock": {Start: hanging(shopJava("deadlock")), Verdict: "deadlock", At: "Faulty.java@lock|lock-in", Has: []string{"held by other", "held by main"}},
		"overflow": {Start: shopJava("deep"), Verdict: "exception", At: "Faulty.java@deep", Message: "StackOverflowError"},
		"memory": {
			Start: A{"target": "Faulty.java", "args": []string{"memory"}, "start": A{"adapter_options": A{"vmArgs": []string{"-Xmx64m"}}}}, Verdict: "exception", At: "Faulty.java@memory", Message: "OutOfMemoryError",
		},
		"awaited": {Start: hanging(shopJava("input")), Verdict: "waiting_for_input"},
		"thread":  {Start: shopJava("thread"), Verdict: "exception", At: "Faulty.java@thread", Culprit: "order.customer", Value: "null", Lacks: []string{"a second time"}},
		"task":    {Start: shopJava("task"), Verdict: "exception", At: "Faulty.java@task", Message: `because "order.customer" is null`},
		"library": {Start: shopJava("parse"), Verdict: "exception", At: "Faulty.java@parse", Message: "NumberFormatException", Parts: []string{`text = " 12x "`}},
		"exit_code": {
			Start: shopJava("exit"), Verdict: "exit_code", Has: []string{`"exit_code":3`, "no such file: shop.txt"}, Lacks: []string{"a second time"},
		},
		"caught":  {Start: shopJava("caught"), Verdict: "exit_code", Has: []string{"an age of -4 cannot be, caught", "cannot settle"}},
		"unbuilt": {Start: A{"target": "Unbuilt.java"}, Verdict: "build_failed", At: "Unbuilt.java@unbuilt", Message: "incompatible types"},
		"fine":    {Start: shopJava("ok"), Verdict: "ok"},
	},
	Not: map[string]string{
		"channel":    "its queues wait in the same way as its locks",
		"child":      "only the parent knows how its child ended",
		"no_test":    "tests need a project, and this program is a single file",
		"test":       "tests need a project, and this program is a single file",
		"test_error": "tests need a project, and this program is a single file",
	},
}
