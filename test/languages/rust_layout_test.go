//go:build linux

package languages

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// layouts is a program whose enums keep their variant in every place there is: it
// prints what each holds, which is the truth that the debuggers are held to.
const layouts = `use std::collections::*;
use std::num::*;
use std::time::Duration;
#[derive(Debug, Clone)] struct Flagged { id: u64, on: bool }
#[derive(Debug)] enum Input { File { path: String, keep: bool }, Stdin(Flagged), Nothing }
#[derive(Debug)] enum Multi { A(bool, u32), B, C, D }
#[derive(Debug)] enum Inner { X(u8), Y, Z(char) }
#[derive(Debug)] enum Outer { I(Inner), P, Q(u64, Inner), R }
#[derive(Debug)] enum Big { S(String), N, V(Vec<u8>) }
#[derive(Debug)] enum Signed { One = 100, Two = -5, Three = 7000 }
#[derive(Debug)] #[repr(u8)] enum Tagged { A(u64) = 3, B { x: u16 } = 200, C = 255 }
macro_rules! values { ($($name:ident : $type:ty = $value:expr;)*) => {
    $(let $name: $type = $value;)*
    $(println!("{}={:?}", stringify!($name), $name);)*
} }
fn main() {
    values! {
        f1: Option<Flagged> = Some(Flagged { id: 5, on: true }); f2: Option<Flagged> = None; f3: Option<Option<Flagged>> = Some(None);
        in1: Input = Input::File { path: "a.txt".into(), keep: true }; in2: Input = Input::Stdin(Flagged { id: 7, on: false }); in3: Input = Input::Nothing;
        m1: Multi = Multi::A(true, 9); m2: Multi = Multi::B; m3: Multi = Multi::C; m4: Multi = Multi::D;
        o1: Outer = Outer::I(Inner::X(3)); o2: Outer = Outer::I(Inner::Y); o3: Outer = Outer::P; o4: Outer = Outer::Q(1, Inner::Z('q')); o5: Outer = Outer::R;
        b1: Big = Big::S("hi".into()); b2: Big = Big::N; b3: Big = Big::V(vec![1]);
        d1: Signed = Signed::One; d2: Signed = Signed::Two; d3: Signed = Signed::Three;
        t1: Tagged = Tagged::A(1); t2: Tagged = Tagged::B { x: 2 }; t3: Tagged = Tagged::C;
        box1: Option<Box<i32>> = Some(Box::new(4)); box2: Option<Box<i32>> = None; text1: Option<&str> = Some("yes"); text2: Option<&str> = None;
        non1: Option<NonZeroU32> = NonZeroU32::new(5); non2: Option<NonZeroU32> = NonZeroU32::new(0);
        err: Result<String, ParseIntError> = "x".parse::<i32>().map(|_| String::new()); ok: Result<String, ParseIntError> = Ok("fine".to_string());
        unit: Result<(), String> = Ok(()); bad: Result<(), String> = Err("bad".into());
        letter: Option<char> = None; truth1: Option<bool> = None; truth2: Option<Option<bool>> = Some(None); truth3: Option<Option<bool>> = None;
        order: Option<std::cmp::Ordering> = None; after: Option<std::cmp::Ordering> = Some(2.cmp(&1)); time: Option<Duration> = None;
        call: Option<fn(i32) -> i32> = None; deep: Option<Result<u8, String>> = Some(Err("e".into())); gone: Option<Result<u8, String>> = None;
    }
    let map: HashMap<String, i32> = (0..10000).map(|i| (format!("k{i}"), i)).collect();
    let tree: BTreeMap<i32, String> = (0..10000).map(|i| (i, format!("v{i}"))).collect();
    let text = "ab\n".repeat(300_000);
    let list: LinkedList<i32> = (0..5).collect();
    let heap: BinaryHeap<i32> = vec![7].into_iter().collect();
    let wide: i128 = 1 << 100;
    println!("done {} {} {} {} {} {}", map.len(), tree.len(), text.len(), list.len(), heap.len(), wide); // layouts: end
}
`

// TestRustLayouts: each enum shows the variant that it holds, by the word of the
// program itself, and what is long is searched and paged to its end.
func TestRustLayouts(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s, p := rustProgram(t, "tour")
	p.Write("layouts.rs", layouts)
	run(t, p.Dir, "rustc", "-g", "-Awarnings", "-o", "layouts", "layouts.rs")
	printed, err := exec.CommandContext(t.Context(), filepath.Join(p.Dir, "layouts")).Output()
	if err != nil {
		t.Fatal(err)
	}
	last := len(strings.Split(strings.SplitAfter(layouts, "// layouts: end")[0], "\n"))
	for _, debugger := range nativeDebuggers {
		s.OK("session_start", A{
			"target": "layouts", "language": "rust", "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger},
			"breakpoints": []A{{"file": "layouts.rs", "line": last}}, "max_bytes": 2000,
		}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
		locals := s.OK("inspect", A{"count": 100, "max_bytes": 40000})
		for line := range strings.Lines(string(printed)) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
				locals.Want(value, "data", "locals", name, "v")
			}
		}
		for expression, want := range map[string]string{
			`map["k77"]`: "77", `map["k9999"]`: "9999", "tree[7777]": `"v7777"`, "f2.is_none()": "true", "text.len()": "900000", "heap[0]": "7", "list[4]": "4",
			"wide + 1": "1267650600228229401496703205377",
		} {
			s.OK("inspect", A{"expression": expression}).Want(want, "data", "result", "v")
		}
		s.OK("inspect", A{"expression": "text"}).Want("900000", "data", "result", "len")
		s.Fail("EVALUATION_FAILED", "inspect", A{"expression": `map["nope"]`}).Has(`there is no key \"nope\"`)
		if debugger == "gdb" { // it asks for every entry before the page
			continue
		}
		s.OK("inspect", A{"target": "object", "expression": "tree", "start": 9997, "count": 5}).Want(`"v9999"`, "data", "result", "children", "[9999]", "v")
	}
}
