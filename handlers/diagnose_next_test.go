package handlers

import (
	"testing"
	"time"

	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
)

// What is asked about next is a place: nothing writes to a length.
func TestPlaceIn(t *testing.T) {
	parts := []judge.Part{{Part: exprsyntax.Part{Text: "str"}}, {Part: exprsyntax.Part{Text: "len(str)"}, Bad: true}}
	for expression, want := range map[string]string{"len(str)": "str", "str": "str", "f(x)": "f(x)", "order.name": "order.name"} {
		if got := placeIn(expression, parts); got != want {
			t.Errorf("of %s: %s, want %s", expression, got, want)
		}
	}
}

// A run that was not made is offered with the time that it takes, and only if a call may take that long and
// this one had less.
func TestTimeForWhatWasNotMade(t *testing.T) {
	for _, c := range []struct{ short, given, want time.Duration }{
		{0, time.Minute, 0},
		{time.Second, 20 * time.Second, 24 * time.Second},
		{10 * time.Second, 15 * time.Second, 40 * time.Second},
		{80 * time.Second, time.Minute, 5 * time.Minute},
		{110 * time.Second, 2 * time.Minute, 5 * time.Minute},
		{110 * time.Second, 5 * time.Minute, 0},
		{170 * time.Second, 3 * time.Minute, 0},
	} {
		d := &diagnosisReply{r: &diagnose.Result{Short: c.short}, given: c.given}
		if got := d.unmadeTime(); got != c.want {
			t.Errorf("of %s in a call of %s: %s, want %s", c.short, c.given, got, c.want)
		}
	}
}
