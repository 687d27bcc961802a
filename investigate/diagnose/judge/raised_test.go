package judge

import (
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

func TestRaisedAt(t *testing.T) {
	stop := Stop{Type: "panic", Message: "no total\nat all", Syntax: adapters.FailureSyntax{Raised: pattern.New(`(?m)^failed at (\S+):(\d+)\n(.*)$`)}}
	const printed = "failed at src/lib.rs:3\nno sum\nfailed at src/lib.rs:7\nno total\nat all\n"
	if line := RaisedAt(stop, "/w/src/lib.rs", printed); line != 7 {
		t.Errorf("it was raised at %d", line)
	}
	other := stop
	other.Message = "no sum"
	for name, line := range map[string]int{
		"another file":           RaisedAt(stop, "/w/src/main.rs", printed),
		"a name that ends so":    RaisedAt(stop, "/w/mysrc/lib.rs", printed),
		"an earlier failure":     RaisedAt(other, "/w/src/lib.rs", printed),
		"nothing printed":        RaisedAt(stop, "/w/src/lib.rs", "no total\n"),
		"a runtime that is mute": RaisedAt(Stop{Message: "no total"}, "/w/src/lib.rs", printed),
	} {
		if line != 0 {
			t.Errorf("%s: it was raised at %d", name, line)
		}
	}
}
