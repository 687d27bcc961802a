package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// TestJavaScriptSets: what is set may be anything that can be assigned to.
func TestJavaScriptSets(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("settable.js", `const config = { limit: 3, list: [1, 2, 3], 'a-b': 1 };
globalThis.shared = 5;
function show(given) {
  let x = 1;
  console.log(given, x, config.limit, config.list[1], config['a-b'], config.added, shared);
}
show(7);
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "settable.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "settable.js", "line": 5}}}).
		Stopped("stopped_at_breakpoint", "settable.js:5")
	for _, set := range []struct{ name, value, now string }{
		{"x", "x + 10", "11"},
		{"given", "'g' + x", "'g11'"},
		{"config.limit", "9", "9"},
		{"config.list[1]", "22", "22"},
		{"config['a-b']", "2", "2"},
		{"config.added", "{ n: 1 }.n", "1"},
		{"shared", "6", "6"},
	} {
		s.OK("variable", A{"action": "set", "name": set.name, "value": set.value}).Want(set.now, "data", "result", "v")
	}
	s.Fail("VARIABLE_SET_FAILED", "variable", A{"action": "set", "name": "config.added", "value": "1 +"})
	s.OK("execute", nil).Want("g11 11 9 22 2 1 6\n", "data", "output", "stdout")
}
