//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// outcomes are tests that end in every way that Rust's own harness knows.
const outcomes = `use std::num::ParseIntError;

#[test]
#[should_panic]
fn panics() {
    fail("any");
}

#[test]
#[should_panic(expected = "of bo\x75nds")]
fn panics_so() {
    let none: Vec<i32> = vec![];
    fail(&format!("{}", none[2]));
}

#[test]
#[should_panic(expected = "something else")]
fn panics_otherwise() {
    fail("this"); // outcomes: otherwise
}

#[test]
#[should_panic]
fn stays_calm() {}

#[test]
fn catches() {
    assert!(std::panic::catch_unwind(|| fail("caught")).is_err());
}

fn fail(why: &str) {
    panic!("it is {why}");
}
`

// TestRustOutcomes: what makes a test fail stops it, and nothing else does.
func TestRustOutcomes(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s, p := rustProgram(t, "shop")
	p.Write("tests/outcomes.rs", outcomes)
	for _, debugger := range nativeDebuggers {
		start := func(more A) testkit.Reply {
			more["target"], more["mode"], more["timeout_ms"] = "tests/outcomes.rs", "test", startLimit
			more["adapter_options"] = A{"debugger": debugger}
			return s.OK("session_start", more)
		}
		for _, good := range []string{"panics", "panics_so", "catches"} {
			start(A{"test": good}).Want("0", "data", "execution_state", "exit_code").Has("1 passed")
		}
		r := start(A{"test": "panics", "exceptions": "all"}).Want("stopped_at_exception", "data", "execution_state", "status")
		r.Want("it is any (the test expects it)", "data", "exception", "message")
		r = start(A{"test": "panics_otherwise"}).Want("stopped_at_exception", "data", "execution_state", "status")
		r.Want(`it is this (the test expects a panic that says "something else")`, "data", "exception", "message")
		start(A{"test": "stays_calm"}).Want("101", "data", "execution_state", "exit_code").Has("test did not panic as expected")
	}
}
