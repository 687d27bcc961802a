package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// A runner whose inner parts are not those that are known tells the debugger of
// no test, and the reply says what that means; one that is joined says nothing.
func TestJavaScriptUnknownRunner(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("package.json", `{"devDependencies": {"mocha": "99"}}`)
	p.Write("node_modules/mocha/package.json", `{"name": "mocha", "version": "99.0.0", "bin": {"mocha": "bin/mocha.js"}}`)
	p.Write("node_modules/mocha/bin/mocha.js", `globalThis.it = (name, fn) => {
  try {
    fn();
  } catch (error) {
    console.log('failed:', name, error.message);
    process.exitCode = 1;
  }
};
require(process.argv.at(-1));
`)
	p.Write("sum.test.js", "const mocha = require('mocha/package.json');\nit('sums', () => {\n  throw new Error('3 is not 4');\n});\n")
	p.Write("own.test.js", "const test = require('node:test');\ntest('sums', () => {});\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("session_start", A{"target": "sum.test.js", "mode": "test", "timeout_ms": startLimit, "adapter_options": A{"runner": "mocha"}})
	r.Want("terminated", "data", "execution_state", "status").Want("1", "data", "execution_state", "exit_code").
		Contains([]string{"data", "warnings"}, "no test runner has told the debugger of its tests", "exceptions: all")
	s.OK("session_start", A{"target": "own.test.js", "mode": "test", "timeout_ms": startLimit}).
		Want("terminated", "data", "execution_state", "status").Lacks("no test runner")
}
