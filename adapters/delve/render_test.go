package delve

import "testing"

func TestTidyValue(t *testing.T) {
	for value, want := range map[string]string{
		`[]int len: 3, cap: 4, [1,2,3]`: `[]int len: 3, cap: 4, [1,2,3]`,
		`[]main.item len: 1, cap: 1, [{Name: "tea", Tags: []string len: 1, cap: 1, ["hot"]}]`: `[]main.item len: 1, cap: 1, [{Name: "tea", Tags: ["hot"]}]`,
		`main.T {A: []int len: 0, cap: 0, nil, B: []*main.T len: 0, cap: 8, []}`:              `main.T {A: nil, B: []}`,
		`[][]int len: 1, cap: 1, [[]int len: 2, cap: 2, [1,2]]`:                               `[][]int len: 1, cap: 1, [[1,2]]`,
		`main.T {M: map[string][]int ["a": []int len: 70, cap: 70, [1,...+69 more], ]}`:       `main.T {M: map[string][]int ["a": [1,...+69 more]]}`,
		`main.T {V: interface {}([]interface {}) []interface {} len: 1, cap: 1, [1]}`:         `main.T {V: interface {}([]interface {}) [1]}`,
		`"[]int len: 1, cap: 1, [1]"`: `"[]int len: 1, cap: 1, [1]"`,
		`main.T {S: "say \"[]int len: 1, cap: 1, [\", ]", A: []int len: 1, cap: 1, [1]}`: `main.T {S: "say \"[]int len: 1, cap: 1, [\", ]", A: [1]}`,
		`map[string]int ["a": 1, ]`: `map[string]int ["a": 1]`,
	} {
		if got := tidyValue(value); got != want {
			t.Errorf("%s\n got %s\nwant %s", value, got, want)
		}
	}
}

// Nil of a type in an interface is no nil, and shows its type; nil alone is shown without one.
func TestNilInAnInterface(t *testing.T) {
	for _, c := range []struct{ typ, value, want string }{
		{"error(*gt.wrong)", "error(*gt.wrong) nil", "error"},
		{"interface {}(map[string]int)", "interface {}(map[string]int) nil", "interface {}"},
		{"interface { M(int) }(*pkg.T)", "interface { M(int) }(*pkg.T) nil", "interface { M(int) }"},
		{"pkg.Box[int](*pkg.T[int])", "pkg.Box[int](*pkg.T[int]) nil", "pkg.Box[int]"},
		{"error", "error nil", "error"},
		{"*pkg.T", "*pkg.T nil", "*pkg.T"},
		{"func(int)", "func(int) nil", "func(int)"},
		{"func(int) (error)", "func(int) (error) nil", "func(int) (error)"},
		{"error(*gt.wrong)", "error(*gt.wrong) *{n: 1}", "error(*gt.wrong)"},
	} {
		if got := typeBesideNil(c.typ, c.value); got != c.want {
			t.Errorf("beside %s stands %s, want %s", c.value, got, c.want)
		}
	}
}
