package build

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// readGoogleTests reads the list: a suite with a point at its end, below it its
// tests, indented; comments follow a "#".
func readGoogleTests(text string) []string {
	var tests []string
	suite := ""
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "#")
		trimmed := strings.TrimSpace(name)
		switch {
		case trimmed == "":
		case strings.HasPrefix(name, "  "):
			if suite != "" {
				tests = append(tests, suite+trimmed)
			}
		case strings.HasSuffix(trimmed, ".") && !strings.Contains(trimmed, " "):
			suite = trimmed
		default:
			suite = ""
		}
	}
	return tests
}

// googleFilter is the filter for a test that the user named: by its whole name,
// with its parameters left out, by a suite, by the name alone, or by a pattern.
// Several are given back when the name alone is not one test's.
func googleFilter(test string, tests []string) (filter string, several []string) {
	if slices.Contains(tests, test) {
		return test, nil
	}
	var alone, cases []string
	inSuite := false
	for _, full := range tests {
		plain := plainName(full)
		suite, name, _ := strings.Cut(plain, ".")
		if plain == test {
			cases = append(cases, full)
		}
		if name == test {
			alone = append(alone, full)
		}
		inSuite = inSuite || suite == test || strings.HasPrefix(full, test+".")
	}
	switch {
	case len(cases) > 0:
		return strings.Join(cases, ":"), nil
	case inSuite && slices.ContainsFunc(tests, func(full string) bool { return strings.HasPrefix(full, test+".") }):
		return test + ".*", nil
	case inSuite:
		return "*/" + test + ".*:" + test + "/*", nil
	case len(alone) == 1:
		return alone[0], nil
	case len(alone) > 1:
		return "", alone
	case strings.ContainsAny(test, "*?:"):
		if pattern := wildcard(test); slices.ContainsFunc(tests, pattern.MatchString) {
			return test, nil
		}
	}
	return "", nil
}

// plainName leaves out instance and parameter: "Sizes/Box.Holds/2" is "Box.Holds".
func plainName(full string) string {
	suite, name, _ := strings.Cut(full, ".")
	parts := strings.Split(suite, "/")
	suite = parts[0]
	if len(parts) > 1 && !isNumber(parts[1]) {
		suite = parts[1]
	}
	name, _, _ = strings.Cut(name, "/")
	return suite + "." + name
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// wildcard is a filter of GoogleTest as an expression; what follows "-" excludes.
func wildcard(filter string) *regexp.Regexp {
	positive, _, _ := strings.Cut(filter, "-")
	text := regexp.QuoteMeta(positive)
	text = strings.NewReplacer(`\*`, ".*", `\?`, ".", ":", "|").Replace(text)
	return regexp.MustCompile("^(?:" + text + ")$")
}

// googleArgs run the filter; what fails stops in the debugger where it fails, and what is
// thrown out of a test where it is thrown.
func googleArgs(filter string) []string {
	args := []string{"--gtest_color=no", "--gtest_break_on_failure", "--gtest_catch_exceptions=0"}
	if filter != "" {
		args = append(args, "--gtest_filter="+filter)
	}
	if strings.Contains(filter, "DISABLED_") {
		args = append(args, "--gtest_also_run_disabled_tests")
	}
	return args
}

// googleEntry is the function of one test; main for several.
func googleEntry(filter string) string {
	if filter == "" || strings.ContainsAny(filter, "*?:") {
		return "main"
	}
	suite, name, _ := strings.Cut(plainName(filter), ".")
	return fmt.Sprintf("%s_%s_Test::TestBody", suite, name)
}

func cutPair(pair string) (name, value string, ok bool) { return strings.Cut(pair, "=") }
