//go:build linux

package languages

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A loop of which every fifth moment or so is spent at an instruction of no line,
// such as compilers put in, and one that is nothing else.
const linelessLoops = `use std::arch::asm;
use std::hint::black_box;

fn spin(mut limit: i32) {
    let mut n = 0;
    black_box(&mut limit);
    while limit < 0 || n < limit {
        n = (n + 1) & 0xffffff;
        unsafe { asm!(".loc 1 0", "nop", "nop", "nop", "nop") };
    }
}

fn lost(limit: i32) {
    println!("lost {limit}");
    unsafe { asm!(".loc 1 0", "2: jmp 2b") };
}

fn main() {
    if std::env::args().count() > 1 {
        lost(1);
    }
    println!("spinning");
    spin(-1);
}
`

// TestNativeLineless: a pause shows a line and its locals, although the program may
// be caught where there is none; and where there never is one, no line is told.
func TestNativeLineless(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, dir+"/lineless.rs", linelessLoops, 0o644)
	run(t, dir, "rustc", "-g", "-o", "lineless", "lineless.rs")
	for _, debugger := range viewers() {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			paused := func(s *testkit.Server) testkit.Reply {
				return s.OK("execute", A{"action": "pause"}).Want("paused", "data", "execution_state", "status")
			}
			start := func(prints string, args ...string) *testkit.Server {
				s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
				s.OK("session_start", A{
					"target": "lineless", "mode": "exec", "language": "rust", "args": args, "timeout_ms": 0, "adapter_options": A{"debugger": debugger},
				})
				testkit.Eventually(t, testkit.CallLimit, prints, func() bool {
					return strings.Contains(s.OK("inspect", A{"target": "output"}).At("data", "stdout"), prints)
				})
				return s
			}
			s := start("spinning")
			for range testkit.Rounds(12, 40) {
				r := paused(s).Want("lineless::spin", "data", "function")
				if at := r.At("data", "location"); at != "lineless.rs:7" && at != "lineless.rs:8" && at != "lineless.rs:9" {
					t.Errorf("paused at %s", at)
				}
				s.OK("inspect", nil).Want("-1", "data", "locals", "limit", "v")
				s.OK("execute", A{"timeout_ms": 1})
			}
			s = start("lost", "lost")
			for range 2 {
				r := paused(s).Want("lineless::lost", "data", "function")
				if at := r.At("data", "location"); strings.Contains(at, ":") {
					t.Errorf("paused at %s", at)
				}
				s.OK("inspect", nil).Want("1", "data", "locals", "limit", "v")
				s.OK("execute", A{"timeout_ms": 1})
			}
		})
	}
}
