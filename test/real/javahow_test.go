//go:build linux

package real

import (
	"fmt"
	"maps"
	"strings"
)

// cliTrace asks how a test came to fail, without stopping anywhere.
func cliTrace(s *story) {
	const source, test = "src/main/java/org/apache/commons/cli/Util.java", "src/test/java/org/apache/commons/cli/UtilTest.java"
	report := s.truth("mvn", "--batch-mode", "surefire:test", "-Dtest=UtilTest#testStripLeadingHyphens")
	failing := `"` + s.find(`but was: <(.*)>`, report) + `"`
	run := func(more A) (rows [][]string) {
		ask := A{"language": "java", "test": "UtilTest#testStripLeadingHyphens", "timeout_ms": 120_000}
		maps.Copy(ask, more)
		s.OK("trace", ask).Decode(&rows, "data", "rows")
		return rows
	}
	calls := run(A{"what": "calls", "functions": []string{"Util.stripLeadingHyphens"}})
	last := fmt.Sprint(calls[len(calls)-1])
	for _, part := range []string{`str="--foo"`, failing, test + ":" + s.find(`UtilTest\.java:(\d+)`, report)} {
		if !strings.Contains(last, part) {
			s.t.Errorf("the last call is %s, without %s", last, part)
		}
	}
	lines := run(A{"what": "lines", "function": "Util.stripLeadingHyphens", "call": len(calls)})
	if n := len(lines); n < 2 || lines[n-2][0] != s.at(source, `if (str.startsWith("--")) {`) {
		s.t.Errorf("the lines are %q", lines)
	}
}

// cliWhy follows a value of the parser back to where the test has it from.
func cliWhy(s *story) {
	const source, test = "src/main/java/org/apache/commons/cli/DefaultParser.java", "src/test/java/org/apache/commons/cli/DefaultParserTest.java"
	r := s.OK("why", A{
		"language": "java", "test": "DefaultParserTest.testLongOptionWithEqualsQuoteHandling", "timeout_ms": 120_000,
		"expression": "token", "location": fmt.Sprintf("%s:%d", source, s.line(source, "private void handleLongOptionWithEqual(")+2), "steps": 5,
	})
	var chain []struct{ At, Kind string }
	r.Decode(&chain, "data", "chain")
	if n := len(chain); n != 5 || chain[0].Kind != "passed" || chain[4].At != fmt.Sprintf("%s:%d", test, s.line(test, "public void testLongOptionWithEqualsQuoteHandling()")+1) {
		s.t.Errorf("the chain is %+v", chain)
	}
}
