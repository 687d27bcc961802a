package native

import (
	"testing"

	"aidb-mcp/adapters"
)

// Where an exception was thrown first is told as it is, whatever is in a name; nothing
// where it was thrown where the program stands.
func TestThrownFirst(t *testing.T) {
	d := &common{}
	if details, err := d.Exception(t.Context(), nil, 1, nil); details != nil || err != nil {
		t.Errorf("without a first throw: %v, %v", details, err)
	}
	d.origin = []adapters.Thrown{{Function: "(anonymous namespace)::half(int)", File: "/w/my app/a.cpp", Line: 5}}
	details, err := d.Exception(t.Context(), nil, 1, nil)
	if want := "thrown first\n    at (anonymous namespace)::half(int) (/w/my app/a.cpp:5)"; err != nil || details == nil || details.StackTrace != want {
		t.Errorf("%+v, %v", details, err)
	}
	d.noteSignal(adapters.Stop{Reason: "signal"}, false)
	if origin, err := d.Origin(t.Context(), nil, 1); err != nil || len(origin.First) != 0 {
		t.Error("the next stop tells of it still")
	}
}
