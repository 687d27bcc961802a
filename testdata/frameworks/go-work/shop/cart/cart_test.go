package cart

import "testing"

func TestTotal(t *testing.T) {
	got, err := Total([]string{"1.20", "3"})
	if err != nil || got != 420 {
		t.Errorf("the total is %d, %v", got, err)
	}
}
