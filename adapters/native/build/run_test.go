package build

import "testing"

// What builds print of how far they are.
func TestCounted(t *testing.T) {
	for line, want := range map[string][2]int{
		"[3/10] Building CXX object a.o":           {3, 10},
		"[ 33%] Building CXX object a.o":           {33, 100},
		"[100%] Built target app":                  {100, 100},
		"[x] nothing":                              {},
		"gcc -o a [3/10]":                          {},
		"[99999999999999999999/3] more than it is": {3, 3},
	} {
		if done, total := progressOf([]byte(line)); done != want[0] || total != want[1] {
			t.Errorf("%s: %d of %d, want %v", line, done, total, want)
		}
	}
}
