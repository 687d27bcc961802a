//go:build linux

package diagnosing

func shopPython(way string) A { return A{"target": "faulty.py", "args": []string{way}} }

var python = tongue{
	Name: "python",
	Failures: map[string]failure{
		"member": {
			Start: shopPython("member"), Verdict: "exception", At: "faulty.py@member", Culprit: "order.customer", Value: "None",
			Message: "AttributeError: 'NoneType' object has no attribute 'address'",
			Parts:   []string{"order = Order(number=2, customer=None, prices=[])", "order.customer = None"},
			Frames:  []string{"faulty.py@member city_of order=Order(number=2, customer=None, prices=[]) upper=True", "faulty.py@member-caller member"},
			Locals:  []string{}, Calls: []string{"'TURIN'"}, Lacks: []string{"unused =", "__init__"},
		},
		"index": {
			Start: shopPython("index"), Verdict: "exception", At: "faulty.py@index", Culprit: "shift", Value: "5", Why: "prices has 2 elements",
			Parts: []string{"prices = [30, 12]", "shift = 5"},
		},
		"key": {
			Start: shopPython("key"), Verdict: "exception", At: "faulty.py@key", Culprit: "kind", Value: "'plain'", Why: "no key of rates",
			Parts: []string{"rates = {'gold': 3, 'silver': 5}", "kind = 'plain'"},
		},
		"zero": {
			Start: shopPython("zero"), Verdict: "exception", At: "faulty.py@zero", Culprit: "count", Value: "0", Parts: []string{"total = 0", "count = 0"},
		},
		"result": {
			Start: shopPython("result"), Verdict: "exception", At: "faulty.py@result", Culprit: "find(wanted)", Value: "None", Parts: []string{"wanted = 7", "find(wanted) = None"},
		},
		"exit_code": {Start: shopPython("exit_code"), Verdict: "exit_code", Has: []string{`"exit_code":3`, "settling"}},
		"fine":      {Start: shopPython("fine"), Verdict: "ok"},
	},
	Not: map[string]string{},
}
