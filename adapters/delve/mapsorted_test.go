package delve

import "testing"

func TestSortMaps(t *testing.T) {
	for value, want := range map[string]string{
		`["tea": 3, "coffee": 4, "a": 1]`:                           `["a": 1, "coffee": 4, "tea": 3]`,
		`[10: "ten", 9: "nine", -1: "m", 100: "h"]`:                 `[-1: "m", 9: "nine", 10: "ten", 100: "h"]`,
		`["b": [2: true, 1: false], "a": [3: true]]`:                `["a": [3: true], "b": [1: false, 2: true]]`,
		`map[string]int ["b": 1, "a": 2, ...+7 more]`:               `map[string]int ["a": 2, "b": 1, ...+7 more]`,
		`main.T {M: map[string]int ["b": 1, "a": 2], L: [3,1,2]}`:   `main.T {M: map[string]int ["a": 2, "b": 1], L: [3,1,2]}`,
		`len: 2, cap: 2, [{B: 1, A: 2},{B: 0, A: 0}]`:               `len: 2, cap: 2, [{B: 1, A: 2},{B: 0, A: 0}]`,
		`[["b": 1, "a": 2],["c": 0]]`:                               `[["a": 2, "b": 1],["c": 0]]`,
		`["x, y: z": 1, "]": 2, "a\"b": 3]`:                         `["]": 2, "a\"b": 3, "x, y: z": 1]`,
		`[{X: 2, Y: 0}: "two", {X: 1, Y: 0}: "one"]`:                `[{X: 1, Y: 0}: "one", {X: 2, Y: 0}: "two"]`,
		`["b": main.T {A: 1}, "a": (unreadable could not read: x)]`: `["a": (unreadable could not read: x), "b": main.T {A: 1}]`,
		`[98 'b': 1, 97 'a': 2]`:                                    `[97 'a': 2, 98 'b': 1]`,
		`["b": "cut here...`:                                        `["b": "cut here...`,
		`"[\"b\": 1, \"a\": 2]"`:                                    `"[\"b\": 1, \"a\": 2]"`,
		`it's`:                                                      `it's`,
		`[1.5: 1, 0.5: 2]`:                                          `[0.5: 2, 1.5: 1]`,
		`[true: 1, false: 2]`:                                       `[false: 2, true: 1]`,
	} {
		if got := sortMaps(value); got != want {
			t.Errorf("%s\n got %s\nwant %s", value, got, want)
		}
	}
}
