package breakpoints

import (
	"slices"
	"testing"
)

func TestHitConditions(t *testing.T) {
	for text, hits := range map[string][]int{
		"3": {3}, "==3": {3}, ">3": {4, 5, 6}, ">=3": {3, 4, 5, 6}, "<3": {1, 2}, "<=3": {1, 2, 3}, "%3": {3, 6}, " % 3 ": {3, 6},
	} {
		var got []int
		for n := 1; n <= 6; n++ {
			if isHitSatisfied(text, n) {
				got = append(got, n)
			}
		}
		if !slices.Equal(got, hits) {
			t.Errorf("%q hits at %v, wanted %v", text, got, hits)
		}
	}
	for _, bad := range []string{"", "0", "%0", "=3", "3 times", "-1", "!=3", "99999999999"} {
		if _, _, ok := ParseHit(bad); ok {
			t.Errorf("%q was accepted", bad)
		}
	}
}
