package doctor

import "testing"

func TestPtrace(t *testing.T) {
	for _, tt := range []struct {
		scope string
		root  bool
		want  State
	}{
		{"0", false, OK},
		{"1", false, Warning},
		{"1", true, OK},
		{"2", false, Problem},
		{"2", true, OK},
		{"3", true, Problem},
	} {
		c := ptrace(tt.scope, tt.root)
		if c.State != tt.want || (c.State != OK) != (c.Remedy != "") {
			t.Errorf("scope %s, root %v: %+v, want %s", tt.scope, tt.root, c, tt.want)
		}
	}
}
