package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// Breakpoints that are set while the program stands are hit as themselves, and
// leave those of the start where they are: js-debug gives both the same ids.
func TestJavaScriptLaterBreakpoints(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("later.js", `function half(n) {
  return n / 2;
}
let sum = half(4);
sum += half(6);
sum += half(8);
console.log(sum);
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "later.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "later.js", "line": 4}, {"file": "later.js", "line": 2, "condition": "n > 6"}}}).
		Stopped("stopped_at_breakpoint", "later.js:4")
	s.OK("breakpoint", A{"location": "later.js:5"})
	s.OK("breakpoint", A{"location": "later.js:6"})
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", "later.js:5").Want("[3]", "data", "execution_state", "hit_breakpoints").Lacks("moved")
	s.OK("run_until", A{"location": "later.js:6"}).Stopped("stopped_at_breakpoint", "later.js:6").Want("[4]", "data", "execution_state", "hit_breakpoints").Lacks("moved")
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", "later.js:2").Want("[2]", "data", "execution_state", "hit_breakpoints")
	s.OK("run_until", A{"location": "later.js:7"}).Has("reached later.js:7").Lacks("moved")
	s.OK("execute", nil).Want(`{"1":1,"2":1,"3":1,"4":1}`, "data", "hits")
}

// A function goes by what it is assigned to a member of, too.
func TestJavaScriptAssignedFunction(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("assigned.js", `const res = {}, req = {};
req.json = function json(text) {
  return JSON.parse(text);
};
res.json = function json(value) {
  return JSON.stringify(value);
};
function Order() {}
Order.prototype.ship = function (to) {
  return res.json(to);
};
new Order().ship('Paris');
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "assigned.js", "timeout_ms": startLimit, "breakpoints": []A{{"function": "res.json"}, {"function": "Order.ship"}, {"function": "res.jsn"}}}).
		Stopped("stopped_at_breakpoint", "assigned.js:10").Want(`["res.json","req.json"]`, "data", "breakpoints", "0", "similar")
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", "assigned.js:6").Want("'Paris'", "data", "locals", "value", "v")
	s.OK("session", A{"action": "stop"})
	s.OK("session_start", A{"target": "assigned.js", "timeout_ms": startLimit, "breakpoints": []A{{"function": "json"}}}).
		Has("2 functions are called so; this is the first, beside assigned.js:6")
}

// A function that is bound in a file that is never loaded is told with the places
// of the others of its name.
func TestJavaScriptFunctionsNamedAlike(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	send := "function send(x) {\n  return x\n}\nmodule.exports = { send }\n"
	p.Write("browser/a.js", send)
	p.Write("lib/b.js", send)
	p.Write("main.js", "const { send } = require('./lib/b.js')\nsend(1)\nsend(2) // @mark again\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "main.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "main.js", "line": p.Line("again")}}})
	s.OK("breakpoint", A{"location": "send"}).Want("false", "data", "breakpoint", "verified").
		Want("browser/a.js:2", "data", "breakpoint", "location").Contains([]string{"data", "breakpoint", "message"}, "this is the first, beside lib/b.js:2: ")
	s.Fail("BREAKPOINT_FAILED", "run_until", A{"location": "send"}).Has("beside lib/b.js:2")
	s.OK("run_until", A{"location": "lib/b.js:2"}).Stopped("stopped_at_breakpoint", "lib/b.js:2")
	s.OK("session", A{"action": "stop"})
}
