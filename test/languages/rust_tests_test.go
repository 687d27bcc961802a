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
    fail("this");
}

#[test]
#[should_panic]
fn stays_calm() {}

#[test]
fn catches() {
    assert!(std::panic::catch_unwind(|| fail("caught")).is_err());
}

#[test]
fn leaves() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<Result<i32, ParseIntError>> = ["1", "x"].iter().map(|t| { let n = number(t)?; Ok(n + 1) }).collect();
    let count = numbers.len();
    let six = number("six")?; //@mark leaves
    assert_eq!(six, count as i32);
    Ok(())
}

#[test]
fn returns() -> Result<(), String> {
    Err("no more".to_string())
}

#[test]
fn is_fine() -> Result<(), ParseIntError> {
    let _ = number("six");
    Ok(())
}

mod ignored {
    #[test]
    #[ignore]
    fn never() {}
}

fn number(text: &str) -> Result<i32, ParseIntError> {
    let n = text.parse::<i32>()?;
    Ok(n)
}

fn fail(why: &str) {
    panic!("it is {why}");
}
`

// TestRustOutcomes: what makes a test fail stops it, and nothing else does.
func TestRustOutcomes(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s, p := rustShop(t)
	for _, debugger := range viewers() {
		start := func(more A) testkit.Reply {
			more["target"], more["mode"], more["timeout_ms"] = "tests/outcomes.rs", "test", startLimit
			more["adapter_options"] = A{"debugger": debugger}
			return s.OK("session_start", more)
		}
		start(A{"test": "panics"}).Want("0", "data", "execution_state", "exit_code").Has("1 passed")
		r := start(A{"test": "panics_otherwise"}).Want("stopped_at_exception", "data", "execution_state", "status")
		r.Want(`it is this (the test expects a panic that says "something else")`, "data", "exception", "message")
		start(A{"test": "returns"}).Want("101", "data", "execution_state", "exit_code").Has(`101: the test returned Error: \"no more\"`)
		if debugger == "gdb" && !testkit.IsLong() {
			continue // what a test wants, and how it has ended, is found out in the same way
		}
		for _, name := range []string{"panics_so", "catches"}[:testkit.Rounds(1, 2)] {
			start(A{"test": name}).Want("0", "data", "execution_state", "exit_code").Has("1 passed")
		}
		r = start(A{"test": "panics", "exceptions": "all"}).Want("stopped_at_exception", "data", "execution_state", "status")
		r.Want("it is any (the test expects it)", "data", "exception", "message")
		start(A{"test": "stays_calm"}).Want("101", "data", "execution_state", "exit_code").Has("101: the test did not panic as expected")
		start(A{"test": "is_fine"}).Want("0", "data", "execution_state", "exit_code")
		start(A{"test": "leaves", "exceptions": "none"}).Want("101", "data", "execution_state", "exit_code").Has("the test returned Error: ParseIntError")
		if debugger != "gdb" { // it finds what ? calls only after a second
			r = start(A{"test": "leaves"}).Stopped("stopped_at_exception", p.At("tests/outcomes.rs", "leaves"))
			r.Want("the test is left by this ? with Err(ParseIntError { kind: InvalidDigit })", "data", "exception", "message")
			r.Want("2", "data", "locals", "count", "v")
		}
		s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{
			"target": "tests/outcomes.rs", "test": "ignored", "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger},
		}).Has("no test ran", "1 ignored")
	}
}
