package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClosest(t *testing.T) {
	actions := []string{"set", "remove", "list", "clear_all", "enable", "disable", "watch", "unwatch"}
	tests := []struct {
		word string
		from []string
		n    int
		want []string
	}{
		{"sett", actions, 3, []string{"set"}},
		{"clearAll", actions, 3, []string{"clear_all"}},
		{"wach", actions, 1, []string{"watch"}},
		{"watch", actions, 3, []string{"watch", "unwatch"}},
		{"wacth", actions, 1, []string{"watch"}},
		{"zebra", actions, 3, []string{}},
		{"", actions, 3, []string{}},
		{"session", []string{"session_id", "stdin"}, 3, []string{"session_id"}},
		{"größse", []string{"größe", "menge"}, 3, []string{"größe"}},
		{"main.addd", []string{"main.mul", "main.add", "main.(*T).add"}, 2, []string{"main.add"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Closest(tt.word, tt.from, tt.n)); diff != "" {
			t.Errorf("Closest(%q) (-want +got):\n%s", tt.word, diff)
		}
	}
}
