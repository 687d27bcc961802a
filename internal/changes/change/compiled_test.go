package change

import "testing"

func TestWhatProgramsReadAsTheyRunIsNotBuiltInto(t *testing.T) {
	for name, want := range map[string]bool{"a/config.json": false, "NOTES.MD": false, "src/main.c": true, "Makefile": true, "Cargo.toml": true} {
		c := Change{Files: []File{{Name: name}}}
		if got := c.Compiled(); got != want {
			t.Errorf("built into a program: %v, want %v: %s", got, want, name)
		}
	}
}
