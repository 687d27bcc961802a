package debugpy

import (
	"slices"
	"testing"

	"aidb-mcp/adapters"
)

func TestStackPlaces(t *testing.T) {
	t.Parallel()
	got := stackPlaces("  File \"/w/a.py\", line 9, in high\n    return low(x)\n  File \"/w/a.py\", line 5, in low\n    return int(x)\nValueError: at x (/w/b.js:1:1)\n")
	if want := []adapters.Thrown{{Function: "low", File: "/w/a.py", Line: 5}, {Function: "high", File: "/w/a.py", Line: 9}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
