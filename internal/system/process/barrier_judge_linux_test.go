package process

import (
	"strings"
	"testing"
)

// What this machine cannot be made to do: Yama's rules.
func TestBarriersByTheirRules(t *testing.T) {
	plain := standing{ours: 1000, its: 1000, isSameNamespace: true, isSameContainer: true}
	for want, change := range map[string]func(*standing){
		"ptrace_scope is 1":   func(s *standing) { s.scope = "1" },
		"ptrace_scope is 2":   func(s *standing) { s.scope = "2" },
		"ptrace_scope is 3":   func(s *standing) { s.scope, s.canTrace = "3", true },
		"capabilities":        func(s *standing) { s.hasMorePrivilege = true },
		"AppArmor or SELinux": func(*standing) {},
	} {
		s := plain
		change(&s)
		if got := barrier(s); !strings.Contains(got.Why, want) || got.Remedy == "" {
			t.Errorf("%s: %+v", want, got)
		}
	}
}
