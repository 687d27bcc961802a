package rubysrc

import (
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Test is one that a source defines.
type Test struct {
	Group string // the class, or the descriptions of its groups: "CartTest", "Cart when empty"
	Name  string // the method, or the description: "test_total", "adds prices"
	Said  bool   // Name is a description
	Line  int
}

// Full is the name with its group, as its framework says it.
func (t Test) Full() string {
	switch {
	case t.Group == "":
		return t.Name
	case t.Said:
		return t.Group + " " + t.Name
	}
	return t.Group + "#" + t.Name
}

// IsNamed says that what the user wrote may mean this one: all of its name, or its own name.
func (t Test) IsNamed(name string) bool {
	name = strings.ReplaceAll(name, "::", "#")
	full := strings.ReplaceAll(t.Full(), "::", "#")
	return name == full || name == t.Name || strings.HasSuffix(full, "#"+name) || t.Said && (strings.HasSuffix(full, " "+name) ||
		name == Method(t.Name) || name == strings.ReplaceAll(t.Group, "::", "#")+"#"+Method(t.Name))
}

// Inherited is a test by its name, "CartTest#test_total", that a class may have from elsewhere.
func (t Test) Inherited(name string) (inherited Test, may bool) {
	class, method, named := strings.Cut(name, "#")
	if !named && strings.Contains(name, "::test_") {
		at := strings.LastIndex(name, "::")
		class, method, named = name[:at], name[at+2:], true
	}
	t.Name = method
	return t, named && strings.HasPrefix(method, "test_") && (class == t.Group || strings.HasSuffix(t.Group, "::"+class))
}

// Method is the name of the method that a test gets which is written as test "adds prices".
func Method(description string) string { return "test_" + strings.ReplaceAll(description, " ", "_") }

// IsTestFile says that a file is one of tests by its name.
func IsTestFile(name string) bool {
	return strings.HasSuffix(name, "_test.rb") || strings.HasSuffix(name, "_spec.rb") || strings.HasPrefix(name, "test_") && strings.HasSuffix(name, ".rb") && name != "test_helper.rb"
}

// The frameworks.
const (
	RSpec    = "rspec"
	Minitest = "minitest"
	TestUnit = "test-unit"
)

var (
	usesUnit     = pattern.New(`\bTest::Unit\b|require\s+['"]test/unit`)
	usesMinitest = pattern.New(`\bMinitest\b|\bMiniTest\b|require\s+['"]minitest|\bActiveSupport::TestCase\b|\bActionDispatch::IntegrationTest\b`)
	usesRSpec    = pattern.New(`\bRSpec\b|require\s+['"](?:spec_helper|rails_helper|rspec)`)
)

// Framework is the one that a text of tests speaks of; empty where it does not say.
func Framework(text string) string {
	switch {
	case usesRSpec.MatchString(text):
		return RSpec
	case usesUnit.MatchString(text):
		return TestUnit
	case usesMinitest.MatchString(text):
		return Minitest
	}
	return ""
}

var (
	groupLine  = pattern.New(`^(\s*)(?:RSpec\.)?(?:describe|context|feature|example_group)\s*\(?\s*(?:"([^"]*)"|'([^']*)'|([A-Z][\w:]*))(?:\s*,\s*(?:"([^"]*)"|'([^']*)'))?.*\bdo\b`)
	itLine     = pattern.New(`^\s*(?:it|specify|example|scenario|test)\s*\(?\s*(?:"([^"]*)"|'([^']*)')`)
	testMethod = pattern.New(`^(\s*)def\s+(test_\w+[?!]?)`)
	testClass  = pattern.New(`^(\s*)class\s+([A-Z][\w:]*)`)
	moduleLine = pattern.New(`^(\s*)module\s+([A-Z][\w:]*)`)
)

type group struct {
	indent, name string
	said         bool
}

// Tests are those that a source defines, in its order.
func Tests(text string) []Test {
	var list []Test
	var open []group
	for i, line := range strings.Split(text, "\n") {
		if line == "__END__" {
			break
		}
		if m := endLine.FindStringSubmatch(line); m != nil {
			for len(open) > 0 && len(open[len(open)-1].indent) >= len(m[1]) {
				open = open[:len(open)-1]
			}
			continue
		}
		switch {
		case groupLine.MatchString(line):
			m := groupLine.FindStringSubmatch(line)
			name := m[2] + m[3] + m[4]
			if more := m[5] + m[6]; more != "" {
				name += joint(more) + more
			}
			open = append(open, group{m[1], name, true})
		case testClass.MatchString(line), moduleLine.MatchString(line):
			m := testClass.FindStringSubmatch(line)
			if m == nil {
				m = moduleLine.FindStringSubmatch(line)
			}
			if !strings.Contains(line, "; end") {
				open = append(open, group{m[1], m[2], false})
			}
		case testMethod.MatchString(line):
			list = append(list, Test{Group: joined(open), Name: testMethod.FindStringSubmatch(line)[2], Line: i + 1})
		case itLine.MatchString(line):
			m := itLine.FindStringSubmatch(line)
			list = append(list, Test{Group: joined(open), Name: m[1] + m[2], Said: true, Line: i + 1})
		}
	}
	return list
}

var (
	heirLine    = pattern.New(`^(\s*)class\s+([A-Z][\w:]*)\s*<\s*([A-Z][\w:]*)`)
	includeLine = pattern.New(`^(\s+)include\s+[A-Z]`)
	testless    = pattern.New(`^(?:::)?(?:Minitest::(?:Test|Spec|Benchmark)|MiniTest::(?:Unit::TestCase|Test)|Test::Unit::TestCase|ActiveSupport::TestCase)$`)
)

// Heirs are the classes of a source that may have tests of others: of what they derive from, or
// of what they include.
func Heirs(text string) []string {
	var heirs []string
	var open []group
	for line := range strings.SplitSeq(text, "\n") {
		m := testClass.FindStringSubmatch(line)
		if m == nil {
			m = moduleLine.FindStringSubmatch(line)
		}
		switch {
		case line == "__END__":
			return heirs
		case m != nil:
			for len(open) > 0 && len(open[len(open)-1].indent) >= len(m[1]) {
				open = open[:len(open)-1]
			}
			open = append(open, group{m[1], m[2], false})
			if h := heirLine.FindStringSubmatch(line); h != nil && !testless.MatchString(h[3]) {
				heirs = append(heirs, joined(open))
			}
		case len(open) > 0 && includeLine.MatchString(line):
			heirs = append(heirs, joined(open))
		}
	}
	return slices.Compact(heirs)
}

// joint is what stands between two descriptions: none before "#total" and ".open".
func joint(next string) string {
	if strings.HasPrefix(next, "#") || strings.HasPrefix(next, ".") {
		return ""
	}
	return " "
}

func joined(open []group) string {
	var b strings.Builder
	for i, g := range open {
		switch {
		case i == 0:
		case g.said:
			b.WriteString(joint(g.name))
		default:
			b.WriteString("::")
		}
		b.WriteString(g.name)
	}
	return b.String()
}
