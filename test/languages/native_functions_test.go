//go:build linux

package languages

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

var nativeDebuggers = []string{"codelldb", "lldb-dap", "gdb"}

// debuggers are those under which a test looks at one thing: all in the long run. Of
// the two that are LLDB the short one has the first; the other is in the suite of all
// behaviours there, too.
func debuggers() []string {
	if testkit.IsLong() {
		return nativeDebuggers
	}
	return []string{"codelldb", "gdb"}
}

// viewers are those under which a test looks at values, or at names, which are made by the
// same code under each: the short run has one, and the suite of all behaviours the others.
func viewers() []string { return debuggers()[:testkit.Rounds(1, len(debuggers()))] }

const genericRust = `trait Shape { fn area(&self) -> u32; }
struct Square(u32);
struct Circle(u32);
impl Shape for Square { fn area(&self) -> u32 { self.0 * self.0 } }
impl Shape for Circle { fn area(&self) -> u32 { 3 * self.0 * self.0 } }
struct Printer<W> { w: W }
impl<W: std::fmt::Debug> Printer<W> {
    fn print(&self, n: u8) {
        println!("{:?} {}", self.w, n);
    }
}
fn largest<T: PartialOrd + Copy>(items: &[T]) -> T {
    let mut best = items[0];
    for &i in items { if i > best { best = i; } }
    best
}
fn grow(v: &mut Vec<u8>) {
    for i in 0..9 { v.push(i); }
}
fn main() {
    println!("{} {}", largest(&[3, 9]), largest(&[2.5]));
    let shapes: [Box<dyn Shape>; 2] = [Box::new(Square(2)), Box::new(Circle(1))];
    for s in &shapes { println!("{}", s.area()); }
    Printer { w: "out" }.print(4);
    grow(&mut vec![]);
}
`

// TestRustFunctions: a breakpoint on a function binds by the names that people
// write, with all the kinds of a generic one, in the user's code and nowhere else.
func TestRustFunctions(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s, p := rustProgram(t, "tour")
	p.Write("generic.rs", genericRust)
	run(t, p.Dir, "rustc", "-g", "-o", "generic", "generic.rs")
	for _, debugger := range debuggers() {
		r := s.OK("session_start", A{
			"target": "generic", "language": "rust", "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger},
			"breakpoints": []A{
				{"function": "largest"}, {"function": "generic::Printer<Writer>::print"}, {"function": "grow"}, {"function": "Shape::area"}, {"function": "<Square as Shape>::area"}, {"function": "growl"},
			},
		}).Stopped("stopped_at_breakpoint", "generic.rs:13")
		r.Want("size=2 [3, 9]", "data", "locals", "items", "v")
		r.Contains([]string{"data", "breakpoints", "0", "similar"}, "generic::grow").Contains([]string{"summary"}, "breakpoint 6 (growl) is not bound")
		list := s.OK("breakpoint", A{"action": "list"})
		for i, want := range []string{"2 places: generic.rs:13 (2 times)", "", "", "2 places: generic.rs:4, generic.rs:5"} {
			number := string(rune('0' + i))
			list.Want("true", "data", "breakpoints", number, "verified")
			if want != "" {
				list.Want(want, "data", "breakpoints", number, "message")
			}
		}
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", "generic.rs:13")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", "generic.rs:4").Contains([]string{"data", "execution_state", "hit_breakpoints"}, "4")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", "generic.rs:5").Contains([]string{"data", "execution_state", "hit_breakpoints"}, "4")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", "generic.rs:9").Want("4", "data", "locals", "n", "v")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", "generic.rs:18")
		s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
	}
}

// TestNativeFunctions: a breakpoint on a function of an optimized program lies in
// the function, not in the part that the compiler has put aside, and in one of a
// single line behind what makes its arguments.
func TestNativeFunctions(t *testing.T) {
	t.Parallel()
	s, p := cppProgram(t)
	p.Write("parts.cpp", strings.Join([]string{
		"#include <cstdio>", "#include <stdexcept>", "#include <string>",
		`extern "C" __attribute__((noinline)) int product(int x, int y) { return x * y; }`,
		"__attribute__((noinline)) int risky(int n) {",
		`  if (n > 1000) throw std::runtime_error("too big " + std::to_string(n));`,
		"  std::string s = std::to_string(n);",
		`  puts(s.c_str());`,
		"  return n * 2;",
		"}",
		"int main(int argc, char **) {",
		"  risky(argc);", "  return product(argc + 5, 7) - 42;", "}", "",
	}, "\n"))
	run(t, p.Dir, "g++", "-g", "-O0", "-o", "plain", "parts.cpp")
	run(t, p.Dir, "g++", "-g", "-O2", "-o", "fast", "parts.cpp")
	for _, debugger := range debuggers() {
		for _, target := range []string{"plain", "fast"} {
			if target == "plain" && !testkit.IsLong() { // the suite of all behaviours has such a one
				continue
			}
			s.OK("session_start", A{
				"target": target, "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger},
				"breakpoints": []A{{"function": "risky"}, {"function": "product"}},
			}).Want("1", "data", "execution_state", "hit_breakpoints", "0").Contains([]string{"data", "function"}, "risky")
			r := s.OK("execute", nil).Want("2", "data", "execution_state", "hit_breakpoints", "0").Contains([]string{"data", "function"}, "product")
			if target == "plain" {
				r.Want("6", "data", "locals", "x", "v").Want("7", "data", "locals", "y", "v")
			}
			s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")
		}
	}
}
