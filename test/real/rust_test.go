//go:build linux

package real

// cargoBuild builds a crate with its tests as its own lock file pins it.
var cargoBuild = [][]string{{"cargo", "build", "--quiet", "--locked"}, {"cargo", "test", "--quiet", "--locked", "--no-run"}}

var rust = []project{{
	Name: "hexyl", Title: "hexyl 0.16.0", Language: "Rust",
	Pins:  []pin{{From: crates, Name: "hexyl@0.16.0", Sum: "43d56dd04872b6c6d429f18d2e03df95f853feb618c7cd8bf22d0e6851ce5ef8"}},
	Edits: []edit{{"src/main.rs", "Self::Gibibyte => 1 << 30", "Self::Gibibyte => 1 << 31"}},
	Build: cargoBuild,
	Journeys: []journey{
		{"generic function", "a method of a generic type stops by its name, and enums show the variant that they hold", hexylPrint},
		{"failing test", "a test that fails by assert_eq stops at it, with left and right", hexylTest},
	},
}}

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
