package jsdebug

import (
	"slices"
	"testing"

	"aidb-mcp/adapters"
)

func TestStackPlaces(t *testing.T) {
	t.Parallel()
	got := stackPlaces("Error: at last\nat low (/w/a.js:2:9)\n    at async /w/b.mjs:7:1\n    at node:internal/main:1:1")
	if want := []adapters.Thrown{{Function: "low", File: "/w/a.js", Line: 2}, {File: "/w/b.mjs", Line: 7}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
