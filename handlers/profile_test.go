package handlers

import "testing"

// A server that only looks profiles nothing, and a profile waits for no other call.
func TestProfileIsJudged(t *testing.T) {
	r := requested(t, newBench(t).Handlers, "profile", `{"what":"memory"}`)
	if r.effect != "profiling a program" || r.rule != ownRun {
		t.Errorf("the effect is %q, the rule %+v", r.effect, r.rule)
	}
}

func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{
		"alloc::vec::Vec<u64, alloc::alloc::Global>::push": "alloc::vec::Vec::push",
		"std::map<int, std::pair<int, int> >::operator[]":  "std::map::operator[]",
		"<shop::Order as core::fmt::Display>::fmt":         "<shop::Order as core::fmt::Display>::fmt",
		"runtime.memmove": "runtime.memmove",
	} {
		if got := plainName(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
