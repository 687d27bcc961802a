package build

import (
	"slices"
	"strings"
)

// readCatchTests reads the names that Catch2 lists, one a line.
func readCatchTests(text string) []string {
	var tests []string
	for line := range strings.Lines(text) {
		name := strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(name, `"#`) { // it would be a name's tag
			name = strings.Trim(name, `"`)
		}
		if name != "" {
			tests = append(tests, name)
		}
	}
	return tests
}

// readDoctests reads doctest's list, between two lines of "=".
func readDoctests(text string) []string {
	var tests []string
	for line := range strings.Lines(text) {
		name := strings.TrimRight(line, "\r\n")
		if name != "" && !strings.HasPrefix(name, "[doctest]") && strings.Trim(name, "=") != "" {
			tests = append(tests, name)
		}
	}
	return tests
}

// sections stand behind the test's own name: "adds numbers/when negative".
const sections = "/"

// plainFilter finds a test of Catch2 or doctest by its name, in whatever case,
// without a scenario's first word, or with one of its sections behind it; a
// test of templates by the name that stands before its types.
func plainFilter(test string, tests []string) (filter string, several []string) {
	if found := nameOf(test, tests); found != "" {
		return found, nil
	}
	for _, full := range tests {
		if strings.HasPrefix(full, test+" - ") || strings.HasPrefix(full, test+"<") {
			several = append(several, full)
		}
	}
	if len(several) == 1 {
		return several[0], nil
	}
	for i := len(test) - 1; i > 0 && len(several) == 0; i-- {
		if test[i] == sections[0] && i+1 < len(test) {
			if found := nameOf(test[:i], tests); found != "" {
				return found + "\n" + strings.ReplaceAll(test[i+1:], sections, "\n"), nil
			}
		}
	}
	return "", several
}

func nameOf(test string, tests []string) string {
	if slices.Contains(tests, test) {
		return test
	}
	for _, full := range tests {
		if strings.EqualFold(full, test) || strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(full, "Scenario:")), test) {
			return full
		}
	}
	return ""
}

// catchArgs run one test, or all; a filter's further lines are its sections.
func catchArgs(color ...string) func(filter string) []string {
	escaped := strings.NewReplacer(`\`, `\\`, ",", `\,`, "[", `\[`, `"`, `\"`)
	return func(filter string) []string {
		args := append([]string{"--break"}, color...)
		if filter == "" {
			return args
		}
		parts := strings.Split(filter, "\n")
		for _, section := range parts[1:] {
			args = append(args, "-c", section)
		}
		return append(args, escaped.Replace(parts[0]))
	}
}

// doctestArgs are the same for doctest, which breaks by itself.
func doctestArgs(filter string) []string {
	args := []string{"--dt-no-colors=true"}
	if filter == "" {
		return args
	}
	escaped := strings.NewReplacer(",", `\,`)
	parts := strings.Split(escaped.Replace(filter), "\n")
	args = append(args, "--dt-case-sensitive=true", "--dt-no-skip=true", "--dt-test-case="+parts[0])
	if len(parts) > 1 {
		args = append(args, "--dt-subcase="+strings.Join(parts[1:], ","))
	}
	return args
}
