//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// A condition is Rust with each debugger, also of what a closure has captured.
func TestRustConditions(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s, p := rustProgram(t, "tour")
	p.Write("texts.rs", `fn main() {
    for word in ["tea", "x", "cake"] {
        let kept = word.to_string();
        let show = move || {
            println!("{kept}");
        };
        show();
    }
}
`)
	for _, debugger := range viewers() {
		for condition, want := range map[string]string{`kept == "x"`: `"x"`, `kept.len() == 4`: `"cake"`} {
			s.OK("session_start", A{
				"target": "texts.rs", "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
				"breakpoints": []A{{"file": "texts.rs", "line": 5, "condition": condition}},
			}).Stopped("stopped_at_breakpoint", "texts.rs:5").Lacks("failed")
			s.OK("inspect", A{"target": "expression", "expression": "kept"}).Want(want, "data", "result", "v")
			s.OK("session", A{"action": "stop"})
		}
	}
}
