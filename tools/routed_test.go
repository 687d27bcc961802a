package tools

import (
	"bytes"
	"testing"
)

// Those that speak of a session have it repeated in a header; the one that names a new
// session has not, and the definitions themselves stay as they are.
func TestRouted(t *testing.T) {
	mark := []byte(`"session_id":{"type":"string","x-mcp-header":"Session-Id"`)
	all := []*Definition{Step().Definition, Session().Definition, SessionStart().Definition, Init().Definition}
	for i, d := range Routed(all) {
		if want := i < 2; bytes.Contains(d.Schema, mark) != want {
			t.Errorf("%s is marked: %v, want %v", d.Name, !want, want)
		}
		if bytes.Contains(all[i].Schema, mark) {
			t.Errorf("%s was changed", d.Name)
		}
	}
}
