//go:build linux

package languages

import (
	"errors"
	"fmt"
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
        lasting1: Duration = Duration::from_secs(60); lasting2: Duration = Duration::from_millis(1500); lasting3: Duration = Duration::new(1234567, 891_000_001); lasting4: Duration = Duration::from_micros(15); lasting5: Duration = Duration::ZERO;
        range1: std::ops::Range<i32> = 1..5; range2: std::ops::RangeInclusive<u8> = 1..=5; range3: std::ops::RangeFrom<usize> = 3..; range4: std::ops::RangeTo<i64> = ..9; range5: std::ops::RangeFull = ..;
        real1: f64 = 2.0; real2: f32 = 0.1; real3: f64 = 1e21; real4: f64 = 1.0 / 3.0; real5: f64 = -0.0; real6: f64 = f64::INFINITY; reals: (f32, f64) = (0.3, -1e-7);
        sign1: char = '\''; sign2: char = '\0'; sign3: char = '"'; text3: String = "q\"\\ \n \u{7f} \u{1b} é".into(); path: std::path::PathBuf = "/tmp/a b".into();
        odd: std::ffi::OsString = unsafe { std::ffi::OsString::from_encoded_bytes_unchecked(vec![b'a', 0xff, b'b']) }; cstring: std::ffi::CString = std::ffi::CString::new("c str").unwrap();
        flag: std::sync::atomic::AtomicBool = true.into(); count: std::sync::atomic::AtomicI64 = (-3).into();
        once1: std::sync::OnceLock<i32> = 4.into(); once2: std::sync::OnceLock<i32> = std::sync::OnceLock::new();
        left: std::slice::Iter<'static, i32> = [1, 2, 3][..].iter(); owned: std::vec::IntoIter<u8> = vec![1, 2].into_iter();
        call: Option<fn(i32) -> i32> = None; deep: Option<Result<u8, String>> = Some(Err("e".into())); gone: Option<Result<u8, String>> = None;
    }
    let map: HashMap<String, i32> = (0..10000).map(|i| (format!("k{i}"), i)).collect();
    let tree: BTreeMap<i32, String> = (0..10000).map(|i| (i, format!("v{i}"))).collect();
    let text = "ab\n".repeat(300_000);
    let list: LinkedList<i32> = (0..5).collect();
    let heap: BinaryHeap<i32> = vec![7].into_iter().collect();
    let wide: i128 = 1 << 100;
    let boxed: Box<dyn std::any::Any> = Box::new(42i32);
    let plain: Box<dyn std::error::Error> = "plain".into();
    let missing = std::io::Error::from_raw_os_error(2);
    let broken = std::io::Error::new(std::io::ErrorKind::Other, "broken");
    let refused: std::io::Error = std::io::ErrorKind::ConnectionRefused.into();
    let letters: std::sync::Arc<str> = "as".into();
    let many: Vec<i32> = (0..20).collect();
    let more: Vec<i32> = (0..20).map(|i| if i == 15 { 0 } else { i }).collect();
    println!("done {:?} {:?} {} {} {} {:?} {:?} {} {} {} {} {} {}", boxed.is::<i32>(), plain, missing, broken, refused, many == more, letters, map.len(), tree.len(), text.len(), list.len(), heap.len(), wide); // layouts: end
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
	isOlder := minorOfRustc(t) < 95 // its library may not say what the state of a OnceLock means
	for _, debugger := range viewers() {
		s.OK("session_start", A{
			"target": "layouts", "language": "rust", "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger},
			"breakpoints": []A{{"file": "layouts.rs", "line": last}}, "max_bytes": 2000,
		}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
		locals := s.OK("inspect", A{"count": 100, "max_bytes": 40000})
		for line := range strings.Lines(string(printed)) {
			name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
			if isOlder && locals.At("data", "locals", name, "v") == "OnceLock(<cannot tell whether it is set>)" {
				continue
			}
			if ok {
				locals.Want(value, "data", "locals", name, "v")
			}
		}
		for expression, want := range map[string]string{
			`map["k77"]`: "77", `map["k9999"]`: "9999", "tree[7777]": `"v7777"`, "f2.is_none()": "true", "text.len()": "900000", "heap[0]": "7", "list[4]": "4",
			"wide + 1": "1267650600228229401496703205377",
		} {
			s.OK("inspect", A{"expression": expression}).Want(want, "data", "result", "v")
		}
		for name, want := range map[string]string{
			"boxed": "42", "plain": `"plain"`, "missing": `Os { code: 2, message: "No such file or directory" }`, "broken": `Custom { kind: Other, error: "broken" }`,
			"refused": "Kind(ConnectionRefused)", "letters": `"as" (strong=1)`,
		} {
			locals.Want(want, "data", "locals", name, "v")
		}
		locals.Want("Arc<str>", "data", "locals", "letters", "t").Want("RangeInclusive<u8>", "data", "locals", "range2", "t")
		s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "many == more"}).Has("too long to be compared")
		s.OK("inspect", A{"expression": "text"}).Want("900000", "data", "result", "len")
		s.Fail("EVALUATION_FAILED", "inspect", A{"expression": `map["nope"]`}).Has(`there is no key \"nope\"`)
		if debugger == "gdb" { // it asks for every entry before the page
			continue
		}
		s.OK("inspect", A{"target": "object", "expression": "tree", "start": 9997, "count": 5}).Want(`"v9999"`, "data", "result", "children", "[9999]", "v")
	}
}

// wides is a program whose enums have tags of 128 bits, of which gdb dies.
const wides = `use std::num::NonZeroU128;
#[derive(Debug)] #[repr(u128)] enum Tagged { A(u8) = 1, B { x: u16 } = 1 << 100 }
#[derive(Debug)] #[repr(i128)] enum Plain { A = -1, B = 1 << 100 }
#[derive(Debug)] struct Outer { name: String, tag: Tagged }
fn give(x: u16) -> Tagged { Tagged::B { x } }
fn main() {
    let number = 5;
    let (some, none) = (NonZeroU128::new(9), NonZeroU128::new(0));
    let (a, b, plain) = (Tagged::A(7), give(2), [Plain::A, Plain::B]);
    let outer = Outer { name: "o".into(), tag: Tagged::A(1) };
    let list = vec![Tagged::A(1), Tagged::B { x: 3 }];
    println!("{:?}", (number, some, none, a, b, plain, outer, list)); // wides: end
}
`

// minorOfRustc is the 85 of rustc 1.85.0.
func minorOfRustc(t *testing.T) int {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), "rustc", "--version").Output()
	var minor int
	if _, scanned := fmt.Sscanf(string(text), "rustc 1.%d.", &minor); err != nil || scanned != nil {
		t.Fatalf("rustc --version says %q: %v", text, errors.Join(err, scanned))
	}
	return minor
}

// TestRustWideTags: what gdb dies of is not asked of it; LLDB's values are right.
func TestRustWideTags(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s, p := rustProgram(t, "tour")
	p.Write("wides.rs", wides)
	build := []string{"rustc", "-g", "-Awarnings", "-o", "wides", "wides.rs"}
	compiler := exec.Command(build[0], build[1:]...)
	compiler.Dir = p.Dir
	isCut := compiler.Run() != nil // an older compiler has to be asked by name, and cuts tags to 64 bits in what it tells debuggers
	if isCut {
		run(t, p.Dir, "env", append([]string{"RUSTC_BOOTSTRAP=1"}, append(build, "-Zcrate-attr=feature(repr128)")...)...)
	}
	last := len(strings.Split(strings.SplitAfter(wides, "// wides: end")[0], "\n"))
	const untold = "<cannot tell which variant>"
	for _, debugger := range debuggers() {
		r := s.OK("session_start", A{
			"target": "wides", "language": "rust", "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger},
			"breakpoints": []A{{"file": "wides.rs", "line": last}},
		}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
		want := map[string]string{
			"some": "Some(9)", "none": "None", "a": "A(7)", "b": "B { x: 2 }", "outer": `Outer { name: "o", tag: A(1) }`, "list": "size=2 [A(1), B { x: 3 }]",
		}
		if debugger == "gdb" {
			for name := range want {
				want[name] = untold
			}
			want["list"] = "size=2 [" + untold + ", " + untold + "]"
			s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "outer.name"}).Has("gdb dies", "LLDB can")
			s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "some.is_none()"}).Has("cannot be read")
			s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "some == none"}).Has("cannot be read")
		}
		if isCut && debugger != "gdb" {
			want["b"], want["list"] = untold, "size=2 [A(1), "+untold+"]"
		}
		want["number"], want["plain"] = "5", "["+untold+", "+untold+"]"
		for name, value := range want {
			r.Want(value, "data", "locals", name, "v")
		}
		// The line is a macro's, and has several places: it is one stop.
		s.OK("execute", A{"timeout_ms": startLimit}).Want("0", "data", "execution_state", "exit_code").Want("1", "data", "hits", "1")
	}
}

// small is laid out as the crate smallvec lays its vector out, in a crate of this name.
const small = `use std::mem::MaybeUninit;
use std::ptr::NonNull;
pub trait Array { type Item; }
impl<T, const N: usize> Array for [T; N] { type Item = T; }
pub enum SmallVecData<A: Array> { Inline(MaybeUninit<A>), Heap { ptr: NonNull<A::Item>, len: usize } }
pub struct SmallVec<A: Array> { capacity: usize, data: SmallVecData<A> }
fn main() {
    let near: SmallVec<[u16; 4]> = SmallVec { capacity: 3, data: SmallVecData::Inline(MaybeUninit::new([1, 2, 3, 0])) };
    let kept = Box::leak(Box::new([5u16, 6, 7, 8, 9]));
    let far: SmallVec<[u16; 4]> = SmallVec { capacity: 5, data: SmallVecData::Heap { ptr: NonNull::from(&mut kept[0]), len: 4 } };
    println!("{} {} {}", near.capacity, far.capacity, matches!(far.data, SmallVecData::Inline(_))); // small: end
}
`

// TestRustSmallVec: a SmallVec is shown as the elements that it has, wherever they are.
func TestRustSmallVec(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s, p := rustProgram(t, "tour")
	p.Write("smallvec.rs", small)
	run(t, p.Dir, "rustc", "-g", "-Awarnings", "-o", "smallvec", "smallvec.rs")
	last := len(strings.Split(strings.SplitAfter(small, "// small: end")[0], "\n"))
	for _, debugger := range viewers() {
		r := s.OK("session_start", A{
			"target": "smallvec", "language": "rust", "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger},
			"breakpoints": []A{{"file": "smallvec.rs", "line": last}},
		}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
		r.Want("size=3 [1, 2, 3]", "data", "locals", "near", "v").Want("size=4 [5, 6, 7, 8]", "data", "locals", "far", "v")
		s.OK("inspect", A{"expression": "far[3] + near[0]"}).Want("9", "data", "result", "v")
		s.OK("inspect", A{"expression": "near.len()"}).Want("3", "data", "result", "v")
	}
}
