//go:build linux

package languages

import (
	"sync"
	"testing"

	"aidb-mcp/internal/testkit"
)

// rustProgram is a server in a copy of a Rust package.
func rustProgram(t *testing.T, name string) (*testkit.Server, *testkit.Program) {
	t.Helper()
	p := testkit.NewProgramOf(t, "rust", name)
	return testkit.Start(t, testkit.Options{Dir: p.Dir, Env: append(withGDB(), "RUST_BACKTRACE=0")}), p
}

// rustShop is a server beside the shop that tests share which change nothing of it, so
// that it is compiled once.
func rustShop(t *testing.T) (*testkit.Server, *testkit.Program) {
	t.Helper()
	makeShop.Do(func() {
		p := testkit.NewProgramBelow(t, commonDir(t), "rust", "shop")
		p.Write("tests/outcomes.rs", outcomes)
		sharedShop = p
	})
	if sharedShop == nil {
		t.Fatal("the shop could not be made, as another test says")
	}
	p := sharedShop.For(t)
	return testkit.Start(t, testkit.Options{Dir: p.Dir, Env: append(withGDB(), "RUST_BACKTRACE=0")}), p
}

var (
	makeShop   sync.Once
	sharedShop *testkit.Program
)

// TestRustRefusals: what cannot be started says why and what to do.
func TestRustRefusals(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s, p := rustProgram(t, "shop")
	start := func(code string, args A, words ...string) {
		t.Helper()
		args["timeout_ms"] = startLimit
		s.Fail(code, "session_start", args).Has(words...)
	}
	start("VALIDATION_INVALID_PARAM", A{"target": ".", "test": "emptty"}, "did you mean parser::tests::empty?")
	start("VALIDATION_INVALID_TARGET", A{"target": ".", "test": "small"}, "2 tests are called small", "shop::parser::tests::small")
	start("VALIDATION_INVALID_TARGET", A{"target": "src/mian.rs"}, "there is no ./src/mian.rs", "main.rs")
	start("VALIDATION_INVALID_TARGET", A{"target": ".", "module": "shopp", "language": "rust"}, "did you mean shop?")
	start("VALIDATION_INVALID_TARGET", A{"target": "tests/api.rs", "mode": "launch"}, "is a test, not a program")
	start("BUILD_FAILED", A{"target": "src/bin/wrap.rs"}, "requires the features", "--features")
	start("BUILD_FAILED", A{"target": ".", "env": A{"PATH": p.Dir}}, "cargo was not found", "rustup")
	start("VALIDATION_INVALID_PARAM", A{"target": ".", "runtime_path": "/nowhere/cargo"}, "/nowhere/cargo")

	p.Write("src/pricing.rs", "pub fn discount(cost: u32, count: u32) -> u32 {\n    cots + count\n}\n")
	r := s.Fail("BUILD_FAILED", "session_start", A{"target": ".", "timeout_ms": startLimit}).Has("src/pricing.rs:2", "cannot find value `cots`")
	r.Want("src/pricing.rs", "error", "details", "errors", "0", "file").Want("2", "error", "details", "errors", "0", "line")
	p.Write("Cargo.toml", "[package]\nname = \n")
	s.Fail("BUILD_FAILED", "session_start", A{"target": ".", "timeout_ms": startLimit}).Want("2", "error", "details", "errors", "0", "line")
	s.Fail("SESSION_NOT_STARTED", "step", nil)
}

// TestRustPanics: a panic of a test and of a thread stops in the user's line,
// one that the program catches does not, unless that is asked for.
func TestRustPanics(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, debugger := range []string{"codelldb", "gdb"} {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			if debugger == "gdb" {
				testkit.Long(t, "the suite of all behaviours stops at a panic under gdb, and tests are as under LLDB")
			}
			s, p := rustShop(t)
			start := func(more A) testkit.Reply {
				more["target"], more["timeout_ms"], more["adapter_options"] = ".", startLimit, A{"debugger": debugger}
				return s.OK("session_start", more)
			}
			r := start(A{"test": "large"}).Stopped("stopped_at_exception", p.At("src/pricing.rs", "test-large"))
			r.Want("panic", "data", "exception", "type").Contains([]string{"data", "exception", "message"}, "three pieces", "left: 90", "right: 80")
			r.Want("90", "data", "locals", "cost", "v")
			r = start(A{"args": []string{"thread"}}).Stopped("stopped_at_exception", p.At("src/main.rs", "in-thread"))
			r.Want("a number is needed", "data", "exception", "message")
			r = start(A{"args": []string{"caught"}})
			r.Want("terminated", "data", "execution_state", "status").Has("caught: true")
			r = start(A{"args": []string{"caught"}, "exceptions": "all"}).Stopped("stopped_at_exception", p.At("src/main.rs", "caught"))
			r.Want("only 2 items (the program catches it)", "data", "exception", "message")
			r = start(A{"args": []string{"caught"}, "exceptions": "none"})
			r.Want("terminated", "data", "execution_state", "status")
		})
	}
}

// TestRustValues: the collections of the standard library are shown as what they are.
func TestRustValues(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, debugger := range viewers() {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			s, p := rustShop(t)
			s.OK("session_start", A{
				"target": ".", "args": []string{"gallery"}, "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
				"breakpoints": []A{{"file": "src/lib.rs", "line": p.Line("gallery")}},
			}).Stopped("stopped_at_breakpoint", p.At("src/lib.rs", "gallery"))
			r := s.OK("inspect", A{"count": 60, "max_bytes": 20000})
			for name, want := range map[string][2]string{
				"text": {`"hello"`, "String"}, "slice": {`"ell"`, "&str"}, "numbers": {"size=3 [1, 2, 3]", "Vec<i32>"}, "part": {"size=2 [2, 3]", "&[i32]"},
				"array": {"[1.5, 2.5]", "[f64; 2]"}, "pair": {`(7, "seven")`, "(u8, &str)"}, "map": {`size=1 {"one": 1}`, "HashMap<String, i32>"},
				"tree": {`size=2 {1: "a", 2: "b"}`, "BTreeMap<i32, &str>"}, "set": {"size=1 {42}", "HashSet<i32>"}, "queue": {"size=2 [8, 9]", "VecDeque<i32>"},
				"some": {"Some(5)", "Option<i32>"}, "none": {"None", "Option<i32>"}, "good": {"Ok(1)", "Result<i32, String>"}, "bad": {`Err("no")`, "Result<i32, String>"},
				"boxed": {`Item { name: "box", price: 1, count: 1 }`, "&shop::Item"}, "shared": {`"rc" (strong=1)`, "Rc<String>"}, "atomic": {"11 (strong=1)", "Arc<i32>"},
				"cell": {"3", "RefCell<i32>"}, "card": {`Card { number: "4242", limit: 100 }`, "shop::Payment"}, "voucher": {`Voucher(10, Some("May"))`, "shop::Payment"},
				"cash": {"Cash", "shop::Payment"}, "letter": {"'ß'", "char"}, "truth": {"true", "bool"}, "unit": {"()", "()"}, "wide": {"1267650600228229401496703205376", "u128"},
				"roots":  {"size=40 {0: 0, 1: 1, 4: 2, 9: 3, 16: 4, 25: 5, 36: 6, 49: 7, …}", "BTreeMap<u32, u32>"},
				"priced": {`Item { name: "dyn", price: 2, count: 1 }`, "Box<dyn shop::Priced>"}, "path": {`"/tmp/x"`, "&Path"},
				"nested": {"size=1 [(1, ('z', ()))]", "Vec<(i8, (char, ()))>"},
			} {
				r.Want(want[0], "data", "locals", name, "v").Want(want[1], "data", "locals", name, "t")
			}
			for expression, want := range map[string]string{
				`map["one"]`: "1", "roots[1521] + 0": "39", "word": `"word" (strong=1)`, "priced.name": `"dyn"`, "voucher.1": `Some("May")`, "card.number": `"4242"`, "some == Some(5)": "true", "numbers.len() * 2": "6",
				"none.is_none() && truth": "true", "numbers.len() > 9 && numbers[9] == 1": "false", "numbers.len() < 9 || numbers[9] == 1 && truth": "true", "!pair.0": "248",
				`text.starts_with("he") && text.contains("ll") && !text.ends_with('x')`: "true", "numbers.contains(3)": "true", "numbers.contains(9)": "false", `map.contains_key("one")`: "true",
				`map.get("two").is_some()`: "false", `map.get("one").is_some()`: "true", "numbers.first() == Some(1)": "true", "numbers.last().unwrap() + 1": "4", "numbers.get(7).is_none()": "true", "boxed.name": `"box"`, "pair.0 as f64 / 2.0": "3.5", "numbers[1..3].len()": "2",
			} {
				s.OK("inspect", A{"expression": expression}).Want(want, "data", "result", "v")
			}
			s.OK("variable", A{"action": "set", "name": "numbers[1]", "value": "40"})
			s.OK("inspect", A{"expression": "numbers[1] + 1"}).Want("41", "data", "result", "v")
			s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "numbers[9] + 1"}).Has("out of bounds", "the length is 3")
			s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "numbers.get(7)"}).Has("it is None")
			s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "truth && numbers[9] == 1"}).Has("out of bounds")
			s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "numbers.iter().sum()"}).Has("methods of Rust cannot be called")
		})
	}
}
