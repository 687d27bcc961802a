package build

import (
	"slices"
	"testing"
)

func TestPlainFilter(t *testing.T) {
	tests := []string{"adds numbers", "Scenario: a sale", "holds - int", "holds - char", "one - int", "a/b"}
	for wanted, want := range map[string]struct {
		filter  string
		several int
	}{
		"adds numbers":              {"adds numbers", 0},
		"Adds Numbers":              {"adds numbers", 0},
		"a sale":                    {"Scenario: a sale", 0},
		"holds":                     {"", 2},
		"one":                       {"one - int", 0},
		"a/b":                       {"a/b", 0},
		"adds numbers/low/negative": {"adds numbers\nlow\nnegative", 0},
		"nosuch":                    {"", 0},
		"nosuch/low":                {"", 0},
	} {
		filter, several := plainFilter(wanted, tests)
		if filter != want.filter || len(several) != want.several {
			t.Errorf("%s: %q, %q", wanted, filter, several)
		}
	}
}

func TestCatchArgs(t *testing.T) {
	got := catchArgs("--use-colour", "no")("joins, [a] \"b\"\nlower")
	want := []string{"--break", "--use-colour", "no", "-c", "lower", `joins\, \[a] \"b\"`}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	got, want = doctestArgs("joins, x\nlow, y\nz"), []string{"--dt-no-colors=true", "--dt-case-sensitive=true", "--dt-no-skip=true", `--dt-test-case=joins\, x`, `--dt-subcase=low\, y,z`}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
