//go:build linux

package diagnosing

func shopGo(way string) A { return A{"target": ".", "args": []string{way}} }

var meanGo = failure{
	Verdict: "panic", At: "main.go@zero", Culprit: "count", Value: "0", Message: "integer divide by zero", Parts: []string{"total = 0", "count = 0"},
}

var golang = tongue{
	Name: "go", Long: []string{"busy", "chained", "child", "fine", "memory", "test_error", "thread", "zero"},
	Failures: map[string]failure{
		"member": {
			Start: shopGo("member"), Verdict: "panic", At: "main.go@member", Culprit: "order.Customer", Value: "nil",
			Message: "panic: runtime error: invalid memory address or nil pointer dereference",
			Parts:   []string{"order = {Number: 2, Customer: *main.Customer nil, Prices: nil}", "order.Customer = nil"},
			Frames:  []string{"main.go@member main.cityOf order={Number: 2, Customer: *main.Customer nil, Prices: nil} upper=true", "main.go@member-caller main.member"},
			Locals:  []string{}, Calls: []string{`"TURIN"`}, Lacks: []string{"raised"},
		},
		"index": {
			Start: shopGo("index"), Verdict: "panic", At: "main.go@index", Culprit: "shift", Value: "5", Why: "prices has 2 elements",
			Message: "index out of range [5] with length 2", Locals: []string{},
		},
		"key": {
			Start: shopGo("key"), Verdict: "panic", At: "main.go@key", Culprit: "counts", Value: "nil", Message: "assignment to entry in nil map",
			Parts: []string{"counts = nil", `kind = "gold"`},
		},
		"zero":   meanGo.by(shopGo("zero")),
		"thread": meanGo.by(shopGo("thread")),
		"result": {
			Start: shopGo("result"), Verdict: "panic", At: "main.go@result", Culprit: "find(wanted)", Value: "nil",
			Parts: []string{"wanted = 7", "find(wanted) = nil"}, Calls: []string{"main.find(number=7) nil"},
		},
		"chained": {Start: shopGo("chained"), Verdict: "panic", At: "main.go@chained", Message: "order 2 cannot be settled"},
		"exit_code": {
			Start: shopGo("exit_code"), Verdict: "exit_code", Has: []string{`"exit_code":3`, "settling"}, Calls: []string{"main.exitCode() (not returned)"},
		},
		"caught": {
			Start: shopGo("caught"), Verdict: "exit_code", Has: []string{"integer divide by zero, caught; raised in main.mean (main.go:", "cannot settle"},
		},
		"busy": {
			Start: shopGo("busy"), Verdict: "busy_loop", At: "main.go@busy|busy-step|busy-rounds", Has: []string{`{"rounds":{"old"`},
		},
		"blocked": {Start: hanging(shopGo("blocked")), Verdict: "blocked", At: "main.go@blocked"},
		"network": {Start: hanging(shopGo("network")), Verdict: "blocked", At: "main.go@network"},
		"deadlock": {
			Start: shopGo("deadlock"), Verdict: "deadlock", At: "main.go@deadlock-join|deadlock-till|deadlock-stock", Has: []string{"sync.Mutex.Lock"},
			Lacks: []string{"runtime.goexit"},
		},
		"deadlock_beside_a_timer": {Start: hanging(shopGo("ticking")), Verdict: "deadlock", Message: "only they can give", Has: []string{"sync.Mutex.Lock", `"held_by":"goroutine`}},
		"channel":                 {Start: shopGo("channel"), Verdict: "deadlock", At: "main.go@channel", Has: []string{"main.channel waits: chan receive"}},
		"overflow": {
			Start: shopGo("overflow"), Verdict: "panic", At: "main.go@overflow|overflow-in", Message: "stack overflow", Has: []string{`"times":`}, Lacks: []string{"unreadable"},
		},
		"memory":  {Start: shopGo("memory"), Verdict: "panic", At: "main.go@memory", Message: "out of memory"},
		"awaited": {Start: shopGo("awaited"), Verdict: "waiting_for_input"},
		"child":   {Start: shopGo("child"), Verdict: "panic", Message: "exit status 2", Has: []string{"integer divide by zero"}},
		"library": {Start: shopGo("library"), Verdict: "panic", At: "main.go@library", Message: "unclosed action", Has: []string{`{{.Total`}},
		"no_test": {Start: A{"test": "TestNothing"}, Verdict: "no_test_ran", Message: "TestDiscount"},
		"unbuilt": {
			Start: A{"target": "./unbuilt"}, Verdict: "build_failed", At: "unbuilt/main.go@unbuilt", Message: "cannot use 7",
		},
		"test": {
			Start: A{"test": "TestDiscount"}, Verdict: "test_failure", At: "main_test.go@errorf", Culprit: "got", Value: "210", Left: "210", Right: "21",
			Message: "discount(1) = 210, want 21", Calls: []string{"main.discount("}, Lacks: []string{"=== RUN", "/testing.go"},
		},
		"test_assertion": {
			Start: A{"test": "TestPrices"}, Verdict: "test_failure", At: "main_test.go@equal-failed|equal", Has: []string{"[30,13]", "[30,12]"}, // either may be wrong
		},
		"test_error": meanGo.by(A{"test": "TestMean"}),
		"fine":       {Start: shopGo("fine"), Verdict: "ok", Has: []string{"21"}},
	},
	Not: map[string]string{"task": "goroutines are tested as threads"},
}
