package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReplyIsShownInShort(t *testing.T) {
	const text = `{"success":true,"summary":"stopped at a panic","data":{
		"code_snapshot":{"formatted":"4  \tx\n5  \ty\n6→ \tz\n"},
		"locals":{"sum":{"v":"0"},"item":{"v":"\"Tea\""}},
		"output":{"stdout":"table 1\n"}}}`
	var r reply
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	printer{out: &out}.reply(r)
	const want = `  reply stopped at a panic
          5  	y
          6→ 	z
          locals  item = "Tea"
                  sum  = 0
          stdout | table 1
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
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
	if err := expect(reply{Summary: "all well"}, true, false); err == nil || !strings.Contains(err.Error(), "all well") {
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
