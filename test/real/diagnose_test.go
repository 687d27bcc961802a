//go:build linux

package real

import (
	"aidb-mcp/internal/testkit"
)

// diagnose asks what is wrong, with all the time that a build needs.
func (s *story) diagnose(verdict string, args A) testkit.Reply {
	s.t.Helper()
	args["timeout_ms"], args["env"] = waitLimit, s.leavings()
	r := s.OK("diagnose", args).Want(verdict, "data", "verdict")
	if size := len(r.Text); size > 8000 {
		s.t.Errorf("the diagnosis has %d bytes:\n%s", size, r)
	}
	return r
}

// blames wants a culprit with its value.
func blames(r testkit.Reply, expression, value string) {
	r.Want(expression, "data", "culprit", "expression").Want(value, "data", "culprit", "value")
}

// goesOn makes the call that a reply advises, as it stands.
func (s *story) goesOn(r testkit.Reply, tool string) testkit.Reply {
	s.t.Helper()
	r.Want(tool, "next_steps", "0", "tool")
	var params A
	r.Decode(&params, "next_steps", "0", "params")
	return s.OK(tool, params)
}

func flaskDiagnosis(s *story) {
	const test = "tests/test_reqctx.py::test_bad_environ_raises_bad_request"
	report := s.truth(".venv/bin/python", "-m", "pytest", "-q", test)
	r := s.diagnose("test_failure", A{"test": test})
	r.Want(s.find(`(?m)^(tests/test_reqctx\.py:\d+): AssertionError`, report), "data", "location")
	code := s.find(`assert (\d+) == 400`, report)
	blames(r, "response.status_code", code)
	s.goesOn(r, "why").Want(code, "data", "value")
}

func ginDiagnosis(s *story) {
	const test = "TestRouteRedirectTrailingSlash"
	report := s.truth("go", "test", "-count=1", "-run", "^"+test+"$", ".")
	r := s.diagnose("test_failure", A{"test": test})
	r.Want(s.find(`Error Trace:\s+\S+/(routes_test\.go:\d+)`, report), "data", "location")
	r.Want(s.find(`expected: (".*")`, report), "data", "expected")
	blames(r, `w.Header().Get("Location")`, s.find(`actual  : (".*")`, report))
}

func expressDiagnosis(s *story) {
	const client = "packages/shop/client.js"
	report := s.truth("node", client)
	r := s.diagnose("exception", A{"target": client})
	r.Want(s.find(`/(packages/shop/client\.js:\d+):\d+\)`, report), "data", "location")
	r.Contains([]string{"data", "message"}, s.find(`TypeError: (.*)`, report))
	blames(r, "second.body", "null")
	s.goesOn(r, "why").Want("null", "data", "value")
}

func expressAttempt(s *story) {
	const old, file = "total / lines.length : undefined", "packages/shop/sums.js"
	change := func(hypothesis, to string) A {
		return A{"hypothesis": hypothesis, "edits": []A{{"file": file, "old": old, "new": to}}}
	}
	r := s.OK("attempt", A{"check": A{"target": "packages/shop/client.js"}, "timeout_ms": waitLimit, "candidates": []A{
		change("no lines cost null", "total / lines.length : null"),
		change("no lines cost nothing", "total / lines.length : 0"),
		change("half a change", "total / (lines.length : 0"),
	}})
	r.Want("failed", "data", "candidates", "0", "result").Want("passed", "data", "candidates", "1", "result").Want("2", "data", "winner")
	if got := r.At("data", "candidates", "2", "result"); got != "build_failed" && got != "failed" {
		s.t.Errorf("half a change is %s", got)
	}
	s.line(file, old) // the workspace is as it was
}

func sqliteDiagnosis(s *story) {
	r := s.diagnose("signal", A{"target": "shop", "args": []string{"crash"}})
	r.Want("sqlite3VdbeRealValue", "data", "function").Has("count_order", s.at("shop.c", "c->total +="))
	blames(r, "pMem", "nullptr")
}

func cliDiagnosis(s *story) {
	const test = "UtilTest#testStripLeadingHyphens"
	report := s.truth("mvn", "--batch-mode", "surefire:test", "-Dtest="+test)
	r := s.diagnose("test_failure", A{"language": "java", "test": test})
	r.Want("src/test/java/org/apache/commons/cli/UtilTest.java:"+s.find(`UtilTest\.java:(\d+)`, report), "data", "location")
	blames(r, `Util.stripLeadingHyphens("--foo")`, `"`+s.find(`but was: <(.*)>`, report)+`"`)
}

func jsonDiagnosis(s *story) {
	printed := s.truth("./orders", "crash")
	r := s.diagnose("exception", A{"target": "orders", "args": []string{"crash"}})
	r.Contains([]string{"data", "location"}, "orders.cpp:")
	r.Contains([]string{"data", "message"}, s.find(`what\(\):  (.*)`, printed))
}

func googleDiagnosis(s *story) {
	printed := s.truth("./samples", "--gtest_filter=FactorialTest.Positive")
	r := s.diagnose("test_failure", A{"target": "samples", "mode": "test", "language": "cpp", "test": "FactorialTest.Positive"})
	r.Contains([]string{"data", "location"}, "sample1_unittest.cc:"+s.find(`sample1_unittest\.cc:(\d+): Failure`, printed))
	blames(r, "Factorial(2)", s.find(`Which is: (\d+)`, printed))
}

func hexylDiagnosis(s *story) {
	report := s.truth("cargo", "test", "--locked", "unit_multipliers")
	r := s.diagnose("test_failure", A{"language": "rust", "test": "unit_multipliers"})
	r.Want(s.find(`panicked at (src/tests\.rs:\d+)`, report), "data", "location")
	blames(r, "Gibibyte.get_multiplier()", s.find(`(?m)^ *left: (.*)$`, report))
}

func immerDiagnosis(s *story) {
	report := s.truth("npx", "jest", "-t", "is summed")
	r := s.diagnose("test_failure", A{"test": "test/orders.test.ts::is summed"})
	r.Want(s.find(`\((test/orders\.test\.ts:\d+):\d+\)`, report), "data", "location").Want(s.find(`Expected: (\d+)`, report), "data", "expected")
	blames(r, "next.total", s.find(`Received: (\d+)`, report))
}
