//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import "testing"

func TestTidyAssertion(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"plain words": "plain words",
		"\n\tError Trace:\t/x/calc_test.go:51\n\tError:      \tNot equal: \n\t            \texpected: 3\n\t            \tactual  : -1\n\tTest:       \tTestAssert\n\tMessages:   \tthe sum\n": "Not equal: expected: 3, actual: -1\nthe sum",
		"\n\tError Trace:\t/x/calc_test.go:51\n\tError:      \tShould be true\n\tTest:       \tTestAssert\n":                                                                                  "Should be true",
	} {
		if got := tidyAssertion(message); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
