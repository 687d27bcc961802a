package till

import "testing"

func TestTotal(t *testing.T) {
	if got := total([]int{3, 4, 5}); got != 12 {
		t.Errorf("the total is %d, want 12", got)
	}
}
