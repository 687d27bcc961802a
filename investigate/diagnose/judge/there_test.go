package judge

import (
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
)

// What a condition took to be there, and is a nothing of another kind, is what was bad; where there
// is something, the condition only hands it on, and a failure of another kind is not told so.
func TestNothingThatIsThere(t *testing.T) {
	for _, c := range []struct {
		language     exprsyntax.Language
		stop         Stop
		above, code  string
		part, value  string
		want, wanted string
	}{
		{exprsyntax.Go, Stop{Type: "test failure", Testing: true}, "	if err != nil {", "t.Fatal(err)", "err", "error(*gt.wrong) nil", "err", "it differs from nil all the same"},
		{exprsyntax.Go, Stop{Type: "panic", Message: "wrong"}, "	if err := check(); nil != err {", "panic(err)", "err", "error(*gt.wrong) nil", "err", "it differs from nil all the same"},
		{exprsyntax.Go, Stop{Type: "test failure", Testing: true}, "	if err != nil {", "t.Fatal(err)", "err", `*{s: "real"}`, "", ""},
		{exprsyntax.Go, Stop{Type: "panic", Message: "invalid memory address or nil pointer dereference"}, "	if err != nil {", "t.Fatal(err.(*wrong).n)", "err", "error(*gt.wrong) nil", "err", ""},
		{exprsyntax.JavaScript, Stop{Type: "Error", Message: "there is one"}, "  if (found !== null) {", `throw new Error("there is one");`, "found", "undefined", "found", "it differs from null all the same"},
	} {
		stop := known(c.language, c.stop, c.code, c.above)
		at, why := Culprit(stop, []Part{{Part: exprsyntax.Part{Text: c.part}, Value: c.value}})
		got := ""
		if at >= 0 {
			got = c.part
		}
		if got != c.want || got != "" && why != c.wanted {
			t.Errorf("%s after %s with %s: %q (%s), want %q (%s)", c.code, c.above, c.value, got, why, c.want, c.wanted)
		}
	}
}
