package quoted

import "testing"

func TestLength(t *testing.T) {
	for shown, want := range map[string][2]int{
		`plain`:       {5, 5},
		`"abc"`:       {3, 3},
		`"a\nb\"é"`:   {6, 5},
		`'abc'`:       {3, 3},
		`'é'`:         {2, 1},
		`'it\'s'`:     {0, 0}, // how many escapes stand in it only its language knows
		`b'\x00'`:     {0, 0},
		`"abc`:        {0, 0},
		`"abc"...`:    {0, 0},
		`"abc..."`:    {0, 0}, // cut by an adapter, perhaps
		`"abc…`:       {0, 0},
		`"`:           {0, 0},
		`'`:           {0, 0},
		`[1 2 3]`:     {7, 7},
		`"a" and "b"`: {0, 0},
	} {
		if got := [2]int{Length(shown, false), Length(shown, true)}; got != want {
			t.Errorf("%s: %v, want %v", shown, got, want)
		}
	}
}
