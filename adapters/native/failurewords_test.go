package native

import "testing"

// What a framework only prints of an expectation is its message.
func TestTold(t *testing.T) {
	for _, test := range []struct{ message, printed, want string }{
		{"CHECK( a - f(b) == 5 ) failed; the program's output has the values", "a.cpp:6: FAILED:\n  CHECK( a - f(b) == 5 )\nwith expansion:\n  38 == 5\n\n", "CHECK( a - f(b) == 5 ) failed: 38 == 5"},
		{"CHECK( f() ) failed; the program's output has the values", "a.cpp:6: FAILED:\n  CHECK( f() )\ndue to unexpected exception with message:\n  no\n\n", "CHECK( f() ) threw: no"},
		{"an assertion of the test failed; the test's output says how", "[ RUN      ] A.B\na.cpp:3: Failure\nValue of: f() > 50\n  Actual: false\n", "Value of: f() > 50\n  Actual: false"},
		{"expected: 3", "a.cpp:3: Failure\nno\n", "expected: 3"},
	} {
		if got := failureSyntax.Message(test.message, test.printed); got != test.want {
			t.Errorf("%q is told as %q", test.message, got)
		}
	}
	if got := failureSyntax.OneLine("Expected equality of these values:\n  a - b\n    Which is: 38\n  30"); got != "Expected equality of these values: a - b (which is 38), 30" {
		t.Errorf("flat it is %q", got)
	}
}

// What was in what nothing could be taken out of is told by the words of the runtime, and
// behind those of an expect.
func TestHeld(t *testing.T) {
	for _, c := range []struct{ message, statement, want string }{
		{"called `Option::unwrap()` on a `None` value", "x.unwrap()", "it was empty"},
		{"called `Result::unwrap()` on an `Err` value: Bad", "x.unwrap()", "it was Err(Bad)"},
		{"a number", `x.parse().expect("a number")`, "it was empty"},
		{"a number: ParseIntError { kind: InvalidDigit }", `x.parse().expect("a number")`, "it was Err(ParseIntError { kind: InvalidDigit })"},
		{"a number: 5: bad", `x.parse().expect(&text)`, "nothing could be taken out of it"},
		{"b: bad", `x.expect("a").y.expect("b")`, "nothing could be taken out of it"},
	} {
		if got := failureSyntax.Unwraps.Held(c.message, c.statement); got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.message, c.statement, got, c.want)
		}
	}
}

// The counts are those at the end of what a runner prints.
func TestCounts(t *testing.T) {
	for printed, want := range map[string][2]int{
		"test result: FAILED. 3 passed; 1 failed; 0 ignored":         {3, 1},
		"[  PASSED  ] 4 tests.\n[  FAILED  ] 2 tests, listed below:": {4, 2},
		"nothing": {0, 0},
	} {
		if passed, failed := failureSyntax.Counts(printed); passed != want[0] || failed != want[1] {
			t.Errorf("%q: %d and %d", printed, passed, failed)
		}
	}
}
