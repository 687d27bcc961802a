//go:build linux

package real

import "aidb-mcp/internal/testkit/registry"

// cargoBuild builds a crate with its tests as its own lock file pins it.
var cargoBuild = [][]string{{"cargo", "build", "--quiet", "--locked"}, {"cargo", "test", "--quiet", "--locked", "--no-run"}}

var rust = []project{{
	Name: "hexyl", Title: "hexyl 0.16.0", Language: "Rust",
	Pins:  []registry.Pin{{From: registry.Crates, Name: "hexyl@0.16.0", Sum: "43d56dd04872b6c6d429f18d2e03df95f853feb618c7cd8bf22d0e6851ce5ef8"}},
	Edits: []edit{{"src/main.rs", "Self::Gibibyte => 1 << 30", "Self::Gibibyte => 1 << 31"}},
	Build: cargoBuild,
	Journeys: []journey{
		{"generic function", "a breakpoint on the name of a generic type's method stops, and enums show their variant", hexylPrint},
		{"failing test", "a test that fails with assert_eq stops there, with left and right", hexylTest},
		{"trace", "a table of the line that prints a dump has each byte beside its index", hexylRows},
		{"why", "why follows the unit of a wrong offset back through the parser to the test's text", hexylWhence},
		{"diagnose", "diagnose shows left and right of an assertion", hexylDiagnosis},
	},
}, {
	Name: "mini-redis", Title: "mini-redis 0.4.1 on Tokio 1.8.1", Language: "Rust",
	Pins:  []registry.Pin{{From: registry.Crates, Name: "mini-redis@0.4.1", Sum: "528890a6b63c88c9bda173867128abe62c0f5050dd959f067aeea09e90439f33"}},
	Build: [][]string{{"cargo", "build", "--quiet", "--locked"}},
	Journeys: []journey{
		{"async handler", "a request to a Tokio server stops in the async function that handles it, with its variables and its awaiting callers", redisHandler},
	},
}}

// setTea is what a client of Redis says to set a key for a minute; grün holds a
// letter of two bytes.
const setTea = "*5\r\n$3\r\nSET\r\n$3\r\ntea\r\n$5\r\ngr\u00fcn\r\n$2\r\nEX\r\n:60\r\n"

func redisHandler(s *story) {
	printed := s.truth("sh", "-c", `RUST_LOG=debug ./target/debug/mini-redis-server --port "$0" & server=$!
		for i in 1 2 3 4 5 6 7 8 9; do ./target/debug/mini-redis-cli --port "$0" set tea grün 60000 && break; sleep 1; done; kill $server`, s.port())
	port := s.port()
	s.serve(A{
		"target": ".", "language": "rust", "module": "mini-redis-server", "args": []string{"--port", port},
		"env":         A{"RUST_LOG": "info"},
		"breakpoints": []A{{"file": "src/cmd/set.rs", "statement": "db.set(self.key", "condition": `self.key == "tea"`}},
	}, "(accepting inbound connections)")
	answer := exchange("127.0.0.1:"+port, setTea)
	r := s.wait()
	r.Stopped("stopped_at_breakpoint", s.at("src/cmd/set.rs", "db.set(self.key"))
	r.Contains([]string{"data", "stack"}, "mini_redis::server::Handler::run")
	s.same("the command", "Set("+s.value("self")+")", s.find(`cmd=(Set\(.*\))`, printed))
	if r.At("data", "locals", "_task_context", "v") != "" {
		s.t.Error("the stop shows what the compiler has made for itself")
	}
	s.OK("step", nil).Contains([]string{"data", "changed_variables", "db", "new"}, `entries: {"tea": Entry { id: 0`)
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("execute", A{"timeout_ms": 0})
	s.same("the answer", s.answered(answer), "+OK\r\n")
}

func hexylPrint(s *story) {
	printed := s.truth("target/debug/hexyl", "--color=never", "--border=none", "-n", "16", "Cargo.toml")
	r := s.start(A{"target": ".", "args": []string{"--color=never", "--border=none", "-n", "16", "Cargo.toml"}, "breakpoints": []A{{"function": "print_byte", "condition": "b == 84"}}})
	r.Want("stopped_at_breakpoint", "data", "execution_state", "status").Contains([]string{"data", "location"}, "src/lib.rs:")
	r.Want("84", "data", "locals", "b", "v")
	s.shows(map[string]string{"i": "2", "self.line_buf.len()": "16"}) // Cargo.toml begins with "# THIS FILE"
	s.OK("breakpoint", A{"action": "clear_all"})
	end := s.goOn()
	s.ends(end, 0)
	s.same("the output", end.At("data", "output", "stdout"), printed)
}

func hexylTest(s *story) {
	report := s.truth("cargo", "test", "--locked", "unit_multipliers")
	r := s.start(A{"language": "rust", "test": "unit_multipliers"})
	r.Stopped("stopped_at_exception", s.find(`panicked at (src/tests\.rs:\d+)`, report))
	r.Contains([]string{"data", "exception", "message"}, s.find(`(?m)^ *(left: .*)$`, report), s.find(`(?m)^ *(right: .*)$`, report))
}
