//go:build linux

package tracing

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const grid = `class Grid {
    public static void main(String[] args) {
        int[][] cells = {{1, 2}, {3}};
        Object any = new String[][] {{"a\tb"}};
        double less = -0.0;
        char letter = 'q';
        System.out.println(cells.length + any.toString().length() + less + letter); //@mark seen
    }
}
`

// javaValues are expressions and what they give.
var javaValues = map[string]string{
	"less < 0.0": "false", "less <= 0.0": "true", "0.0 <= less": "true", "less == 0.0": "true", "0.0 / 0 < 1": "false", "7f / 2": "3.5", "7 % 4.5": "2.5",
	"7 / 2": "3", "-7 % 4": "-3", "1L << 40": "1099511627776", "1 << 40": "256", "-5 >>> 28": "15", "-5 >> 1": "-3", "0x7fff_ffff + 1": "-2147483648", "0b101 ^ 017": "10",
	"6 & 3 | 8": "10", "true ^ false": "true", "~letter": "-114", "-letter": "-113", "(char) (letter + 1)": "'r'", "(byte) 300": "44", "(int) 2.9e0": "2", "1e3f": "1000.0",
	"any instanceof String[][]": "true", "any instanceof String[]": "false", "((String[][]) any)[0][0]": `"a\tb"`, "cells[1][0] > 2 ? 'y' : 'n'": "'y'", `"\u0041\101\n" + letter`: `"AA\nq"`,
}

// javaFaults are what cannot be evaluated, with a part of the reason.
var javaFaults = map[string]string{
	"1.5 & 2": "fractions have no operator &", "1L % 0": "by zero", "'ab'": "not one character", "08": "is not a number", "cells[0": "']' is missing before the end",
	"any instanceof String s": "patterns", "x -> 1": "lambda",
}

// The recorder and the debugger read the same language.
func TestExpressionsInJava(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("Grid.java", grid)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	traced := func(expressions ...string) A {
		return A{"target": "Grid.java", "what": "values", "location": p.At("Grid.java", "seen"), "expressions": expressions, "timeout_ms": 60_000}
	}
	expressions := slices.Sorted(maps.Keys(javaValues))
	var rows [][]string
	for few := range slices.Chunk(expressions, 10) {
		var row [][]string
		s.OK("trace", traced(few...)).Decode(&row, "data", "rows")
		rows = append(rows, row[0][1:])
	}
	for i, got := range slices.Concat(rows...) {
		if want := javaValues[expressions[i]]; got != want {
			t.Errorf("%s: %s is noted, want %s", expressions[i], got, want)
		}
	}
	for expression, want := range javaFaults {
		if got := s.Call("trace", traced(expression)).String(); !strings.Contains(got, want) {
			t.Errorf("%s: %q is missing in what the recorder says:\n%s", expression, want, got)
		}
	}
	s.OK("session_start", A{"target": "Grid.java", "breakpoints": []A{{"file": "Grid.java", "line": p.Line("seen")}}})
	for expression, want := range javaValues {
		s.OK("inspect", A{"expression": expression}).Want(want, "data", "result", "v")
	}
	for expression, want := range javaFaults {
		s.Fail("EVALUATION_FAILED", "inspect", A{"expression": expression}).Has(want)
	}
}
