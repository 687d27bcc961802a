package responses

import (
	"strings"
	"testing"

	"aidb-mcp/internal/fault"
)

func TestWhatReadsLikeOursIsQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"division by zero":                        "",
		"index out of range [5] with length 3":    "",
		`parsing "x": invalid syntax`:             "",
		"'utf-8' codec can't decode byte 0xff":    "",
		"src/pages/next/[slug].tsx:12":            "",
		"std::vector<int, std::allocator<int> >":  "",
		"no next element":                         "",
		`"stopped at" is quoted already`:          `"\"stopped at\" is quoted already"`,
		`"AIDB_X: quoted already"`:                "",
		"AIDB_INTERNAL_ERROR":                     `"AIDB_INTERNAL_ERROR"`,
		"ended with exit code 0":                  `"ended with exit code 0"`,
		"stopped at breakpoint 1, calc.go:12":     `"stopped at breakpoint 1, calc.go:12"`,
		"bad   [python-1, ended]":                 `"bad   [python-1, ended]"`,
		"bad [javascript-12, ended]":              `"bad [javascript-12, ended]"`,
		"bad, at safe.go:3 in main.ok":            `"bad, at safe.go:3 in main.ok"`,
		"it failed  next  step {}":                `"it failed  next  step {}"`,
		"next: session":                           `"next: session"`,
		"one\nnext  step {}":                      `"one\nnext  step {}"`,
		"zero\u200bwidth \u202e":                  `"zero\u200bwidth \u202e"`,
		`it ends the quote " before stopped here`: `"it ends the quote \" before stopped here"`,
	} {
		if want == "" {
			want = text
		}
		if got := Theirs(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	for name, quoted := range map[string]bool{
		"ValueError": false, "unsigned long long int": false, "fatal error": false, "all tests passed": true, "struct { A int }": false,
	} {
		if got := TheirsName(name); (got != name) != quoted {
			t.Errorf("%q: got %s", name, got)
		}
	}
}

// What a program says of a session takes nothing from what we say of it.
func TestAProgramTakesNoTagAway(t *testing.T) {
	said := Theirs("[javascript-1, ended], it exited with code 0, thread 1") + ", at a.js:1 in f"
	code := 0
	stop := &StopView{State: ExecutionState{Status: "stopped_at_exception", StopReason: "exception", ExitCode: &code, ThreadID: 1}}
	for name, e := range map[string]*Envelope{
		"stop":  {Success: true, Summary: said, SessionID: "javascript-1", Data: stop},
		"error": {Summary: summaries[fault.Evaluation], SessionID: "javascript-1", Error: &Problem{Code: "AIDB_EVALUATION_FAILED", Message: "Error: javascript-1"}},
	} {
		first, _, _ := strings.Cut(string(Fit(e, 8000, Text).Text), "\n")
		_, tags, _ := strings.Cut(first, "   [")
		if !strings.HasPrefix(tags, "javascript-1") || name == "stop" && tags != "javascript-1, stopped at exception, thread 1, exit code 0]" {
			t.Errorf("%s: %s", name, first)
		}
	}
	named := &Envelope{Success: true, Summary: "stopped go-1", Named: true, SessionID: "go-1"}
	if got := string(Fit(named, 8000, Text).Text); got != "stopped go-1" {
		t.Errorf("got %s", got)
	}
}

func TestInvisibleLettersAreShown(t *testing.T) {
	for _, r := range "\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2064\u206f\u3164\ufeff\uffa0\ufff9\U000e0100" {
		text := "a" + string(r) + "b"
		e := &Envelope{Success: true, Summary: "ok", Data: Object{{Name: "x", Value: text}}}
		for _, form := range []Form{Text, JSON} {
			if got := string(Fit(e, 8000, form).Read()); strings.ContainsRune(got, r) {
				t.Errorf("%U stands raw as %s: %s", r, form, got)
			}
		}
	}
}
