package source

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
)

// Closest answers "did you mean": those of the candidates that word may be a
// slip of, likeliest first, at most n. Case and the separators "_", "-", "."
// and space do not count as differences. Nothing alike is an empty list.
func Closest(word string, candidates []string, n int) []string {
	type match struct {
		text     string
		distance int
	}
	want := fold(word)
	var found []match
	for _, c := range candidates {
		if d, ok := distance(want, fold(c)); ok {
			found = append(found, match{c, d})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(a.distance, b.distance) })
	names := make([]string, 0, min(n, len(found)))
	for _, m := range found[:min(n, len(found))] {
		names = append(names, m.text)
	}
	return names
}

// distance says how many slips lie between two folded words, and whether that
// is few enough to be a slip at all.
func distance(want, have string) (int, bool) {
	if want == "" || have == "" {
		return 0, false
	}
	d := levenshtein.ComputeDistance(want, have)
	shorter := min(len(want), len(have))
	contained := shorter >= 3 && (strings.Contains(have, want) || strings.Contains(want, have))
	return d, contained || d <= max(1, min(shorter/2, 3), shorter/4)
}

func fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', '.', ' ':
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}
