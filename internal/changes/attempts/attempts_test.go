package attempts

import (
	"fmt"
	"testing"
)

// Of all problems together no more are kept than that: the oldest go.
func TestMostInMemory(t *testing.T) {
	var m InMemory
	for i := range mostKept + 5 {
		if err := m.Add(t.Context(), &Attempt{Problem: fmt.Sprint("p", i), Key: "k"}); err != nil {
			t.Fatal(err)
		}
	}
	for problem, want := range map[string]int{"p4": 0, "p5": 1, fmt.Sprint("p", mostKept+4): 1} {
		if got, err := m.List(t.Context(), problem); len(got) != want || err != nil {
			t.Errorf("of %s there are %d, %v", problem, len(got), err)
		}
	}
}

// A problem is told apart by its workspace and by what is checked in it.
func TestID(t *testing.T) {
	seen := map[string]bool{}
	for _, of := range [][2]string{{"a", "b"}, {"ab", ""}, {"", "ab"}, {"a", "c"}} {
		seen[ID(of[0], of[1])] = true
	}
	if len(seen) != 4 || len(ID("a", "b")) != 12 {
		t.Errorf("%v", seen)
	}
}
