package demo

import (
	"strings"
	"testing"
)

func TestReplyIsShownAsItIs(t *testing.T) {
	const text = `stopped at a panic   [go-1, thread 1]
  5  	y
  6→ 	z
locals
  item = "Tea"  (string)
stdout
  table 1`
	var out strings.Builder
	printer{out: &out}.reply(reply{Text: text})
	want := "  reply " + strings.ReplaceAll(text, "\n", "\n        ") + "\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	printer{out: &out, color: true}.reply(reply{Text: text})
	if !strings.Contains(out.String(), red+"  6→ \tz"+plain) {
		t.Errorf("the current line has no colour: %q", out.String())
	}
}

func TestColorsOnlyWhenWanted(t *testing.T) {
	for _, color := range []bool{false, true} {
		var out strings.Builder
		printer{out: &out, color: color}.says("look")
		if got := strings.Contains(out.String(), "\x1b["); got != color {
			t.Errorf("color %v: %q", color, out.String())
		}
	}
}

func TestTheDemonstrationFailsWhenFactsDoNotHold(t *testing.T) {
	if err := expect(reply{Text: "all well"}, true, false); err == nil || !strings.Contains(err.Error(), "all well") {
		t.Errorf("got %v", err)
	}
	if err := expect(reply{}, true, true); err != nil {
		t.Error(err)
	}
}

func TestAServerThatDoesNotStartIsAnError(t *testing.T) {
	var out strings.Builder
	if err := Run(t.Context(), Options{Server: []string{"/nowhere/aidb-mcp"}, Out: &out}); err == nil {
		t.Error("no error")
	}
}
