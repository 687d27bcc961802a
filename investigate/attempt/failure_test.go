package attempt

import (
	"testing"

	"aidb-mcp/investigate/diagnose/judge"
)

// Two failures are the same only where what the failed statement read is known of both and
// equal. Where it is known of neither they are at the same place; a run that was cut is compared with none.
func TestCompare(t *testing.T) {
	at := func(verdict judge.Verdict, change func(*Failure)) *Failure {
		f := &Failure{Verdict: string(verdict), Location: "till.c:17", Function: "main", Message: "SIGABRT"}
		change(f)
		return f
	}
	read := func(f *Failure) { f.Left, f.Right = "11", "12" }
	for _, tt := range []struct {
		what              string
		one, other        *Failure
		isSame, isAtPlace bool
	}{
		{"the same values", at(judge.Signal, read), at(judge.Signal, read), true, false},
		{"other values", at(judge.Signal, read), at(judge.Signal, func(f *Failure) { f.Left, f.Right = "10", "12" }), false, false},
		{"values of one alone", at(judge.Signal, read), at(judge.Signal, func(*Failure) {}), false, false},
		{"no values", at(judge.Signal, func(*Failure) {}), at(judge.Signal, func(*Failure) {}), false, true},
		{"a side that was not read", at(judge.Signal, read), at(judge.Signal, func(f *Failure) { read(f); f.Unread = true }), false, true},
		{"another function", at(judge.Signal, read), at(judge.Signal, func(f *Failure) { read(f); f.Function = "add" }), false, false},
		{"cut", at(timedOut, read), at(timedOut, read), false, false},
		{"no failure before", at(judge.Signal, read), nil, false, false},
	} {
		r := &Row{Failure: tt.one}
		if r.compare(tt.other); r.SameFailure != tt.isSame || r.SamePlace != tt.isAtPlace {
			t.Errorf("%s: same %v, at the same place %v", tt.what, r.SameFailure, r.SamePlace)
		}
	}
}
