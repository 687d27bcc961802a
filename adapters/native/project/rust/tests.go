package rust

import (
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

var (
	rustTest = pattern.New(`(?m)^[ \t]*((?:#\[[^\]]*\]\s*)*?)#\[(?:\w+::)*(?:test|rstest|test_case)(?:\([^\]]*\))?\]\s*` +
		`((?:(?:#\[[^\]]*\]|//[^\n]*)\s*)*)(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)`)
	rustMade    = pattern.New(`#\[(?:\w+::)*(?:test|rstest|test_case)(?:\([^\]]*\))?\]\s*(?:(?:#\[[^\]]*\]|//[^\n]*)\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+\$`)
	rustModule  = pattern.New(`(?m)^([ \t]*)((?:#\[[^\]]*\]\s*)*)(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*([{;])`)
	rustInner   = pattern.New(`(?m)^#!\[cfg\([^\]]*\]`)
	rustFeature = pattern.New(`\bfeature\s*=\s*"([^"]+)"`)
	rustUnsure  = pattern.New(`\b(?:not|any)\s*\(`)
)

// rustTestCase is a test of a source file: its name with the modules that it is in, and
// the features without which it is not built.
type rustTestCase struct {
	name     string
	features []string
	ignored  bool
}

// rustSuites notes the tests of a source file: those that are always built, and those
// that need features which are off by default.
func (s *scan) rustSuites(crate *manifest, dir, rel, text string) {
	prefix, inner := "", featuresOf(rustInner.FindString(text))
	var on []string
	if crate != nil {
		prefix, on = crate.modulePrefix(rel), crate.defaults()
		inner = append(inner, crate.testFeatures(rel)...)
	}
	var wanted []string // features, by the suites that need them
	names := map[string][]string{}
	for _, t := range rustTests(text, prefix) {
		if t.ignored {
			continue
		}
		need := strings.Join(subtract(append(t.features, inner...), on), ",")
		if !slices.Contains(wanted, need) {
			wanted = append(wanted, need)
		}
		if !slices.Contains(names[need], t.name) { // one for each of several systems
			names[need] = append(names[need], t.name)
		}
	}
	for _, need := range wanted {
		suite := workspace.Suite{Language: "rust", Framework: "cargo test", Path: dir, Target: rel}
		if need != "" {
			suite.BuildArgs, suite.Special = []string{"--features", need}, true
		}
		s.AddSuite(suite, names[need])
	}
	if len(wanted) == 0 && rustMade.MatchString(text) {
		s.AddUnnamed(workspace.Suite{Language: "rust", Framework: "cargo test", Path: dir, Target: rel})
	}
	below := strings.TrimSuffix(rel, ".rs") // where the files of its modules lie
	if slices.Contains([]string{"lib", "main", "mod"}, path.Base(below)) {
		below = dir
	}
	for _, m := range rustModule.FindAllStringSubmatch(text, -1) {
		if need := subtract(featuresOf(m[2]), on); m[4] == ";" && len(need) > 0 {
			s.gates[path.Join(below, m[3])] = need
		}
	}
}

// requireFeatures gives the tests of modules that are built with some features only what
// turns those on.
func (s *scan) requireFeatures() {
	for i := range s.Project.Tests {
		t := &s.Project.Tests[i]
		if t.Language != "rust" || len(t.BuildArgs) > 0 {
			continue
		}
		for _, at := range workspace.Ancestors(strings.TrimSuffix(t.Target, ".rs")) {
			if need := s.gates[at]; len(need) > 0 {
				t.BuildArgs, t.Special = []string{"--features", strings.Join(need, ",")}, true
			}
		}
	}
}

// featuresOf are the features that attributes ask for, where that is plain.
func featuresOf(attributes string) []string {
	if rustUnsure.MatchString(attributes) || !strings.Contains(attributes, "cfg(") {
		return nil
	}
	return workspace.Submatches(rustFeature, attributes)
}

// subtract gives the names that are not among others, each once.
func subtract(names, others []string) []string {
	var left []string
	for _, name := range names {
		if !slices.Contains(others, name) && !slices.Contains(left, name) {
			left = append(left, name)
		}
	}
	return left
}

// rustTests names the tests of a file with the modules that they are in, by how
// those are indented.
func rustTests(text, prefix string) []rustTestCase {
	type module struct {
		name       string
		features   []string
		start, end int
	}
	var modules []module
	for _, at := range rustModule.FindAllStringSubmatchIndex(text, -1) {
		if text[at[8]:at[9]] == ";" {
			continue
		}
		end := strings.Index(text[at[1]:], "\n"+text[at[2]:at[3]]+"}")
		if end < 0 {
			end = len(text) - at[1]
		}
		modules = append(modules, module{text[at[6]:at[7]], featuresOf(text[at[4]:at[5]]), at[1], at[1] + end})
	}
	var tests []rustTestCase
	for _, at := range rustTest.FindAllStringSubmatchIndex(text, -1) {
		attributes := text[at[2]:at[3]] + text[at[4]:at[5]]
		t := rustTestCase{name: prefix, features: featuresOf(attributes), ignored: strings.Contains(attributes, "#[ignore")}
		for _, m := range modules {
			if m.start <= at[6] && at[6] < m.end {
				t.name += m.name + "::"
				t.features = append(t.features, m.features...)
			}
		}
		t.name += text[at[6]:at[7]]
		tests = append(tests, t)
	}
	return tests
}
