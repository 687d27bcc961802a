//go:build linux

package real

import (
	"strconv"
	"strings"
)

// What express sends is traced where it sends it, request by request.
func expressTrace(s *story) {
	const response = "packages/express/lib/response.js"
	said := s.truth("node", "packages/shop/ask.js", "1")
	sent := response + ":" + strconv.Itoa(s.line(response, "res.json = function json(obj) {")+sentBelow)
	r := s.OK("trace", A{"target": "packages/shop/ask.js", "args": []string{"1"}, "what": "values", "expressions": []string{"body", "obj.mean"}, "location": sent, "timeout_ms": 60_000})
	mean := s.find(`"mean":"([0-9.]+)"`, said)
	s.same("the row", r.At("data", "rows", "0", "2"), "'"+mean+"'")
	s.same("what is sent", r.At("data", "rows", "0", "1"), "'"+s.find(`(\{.*\})`, said)+"'")
	r = s.OK("trace", A{"target": "packages/shop/ask.js", "args": []string{"1"}, "what": "calls", "functions": []string{"average"}, "timeout_ms": 60_000})
	r.Want("1", "data", "hits").Contains([]string{"data", "rows"}, "7", s.at("packages/shop/server.js", "const mean"))
}

// What the framework turns into a status 500 leads back to the result that is nothing.
func expressWhy(s *story) {
	const main, sums = "packages/shop/server.js", "packages/shop/sums.js"
	s.find(`(?m)^(500) `, s.truth("node", "packages/shop/ask.js", "2"))
	r := s.OK("why", A{"target": "packages/shop/ask.js", "args": []string{"2"}, "expression": "mean", "location": s.at(main, "mean.toFixed"), "steps": 2, "timeout_ms": 60_000})
	r.Want("undefined", "data", "value").Want(s.at(main, "const mean"), "data", "chain", "0", "at").
		Want(s.at(sums, "return lines.length"), "data", "chain", "1", "at").Want("returned", "data", "chain", "1", "kind")
	if got := r.At("data", "chain", "1", "operands"); !strings.Contains(got, `"lines.length"`) || !strings.Contains(got, `"0"`) {
		s.t.Errorf("that there are no lines is not among %s", got)
	}
}

// A total that a test finds wrong leads from the test into the library's own source.
func immerWhy(s *story) {
	report := s.truth("npx", "jest", "-t", "is summed")
	r := s.OK("why", A{"test": "test/orders.test.ts::is summed", "env": s.leavings(), "expression": "next.total",
		"location": s.at("test/orders.test.ts", "expect(next.total)"), "steps": 2, "timeout_ms": 120_000})
	r.Want(s.find(`Received: (\d+)`, report), "data", "value").Contains([]string{"data", "chain"}, "src/core/proxy.ts")
}

// Each copy that the library makes of a list is shown with what it is made of.
func immerTrace(s *story) {
	r := s.OK("trace", A{"test": "test/orders.test.ts::is summed", "env": s.leavings(), "what": "calls", "functions": []string{"shallowCopy"}, "timeout_ms": 120_000})
	r.Contains([]string{"data", "rows"}, "shallowCopy(base=", s.at("src/utils/common.ts", "export function shallowCopy"))
}
