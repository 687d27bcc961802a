package process

import (
	"strings"
	"testing"
)

// What this machine cannot be made to do: Yama's rules.
func TestBarriersByTheirRules(t *testing.T) {
	plain := tracingFacts{ours: 1000, its: 1000, isSameNamespace: true, isSameContainer: true}
	for want, change := range map[string]func(*tracingFacts){
		"ptrace_scope is 1":   func(s *tracingFacts) { s.scope = "1" },
		"ptrace_scope is 2":   func(s *tracingFacts) { s.scope = "2" },
		"ptrace_scope is 3":   func(s *tracingFacts) { s.scope, s.canTrace = "3", true },
		"capabilities":        func(s *tracingFacts) { s.hasMorePrivilege = true },
		"AppArmor or SELinux": func(*tracingFacts) {},
	} {
		s := plain
		change(&s)
		if got := barrier(s); !strings.Contains(got.Why, want) || got.Remedy == "" {
			t.Errorf("%s: %+v", want, got)
		}
	}
}
