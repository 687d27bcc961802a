package build

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// docTest matches how rustdoc names the example in a comment.
var docTest = pattern.New(`\.rs - |\(line \d+\)$`)

// unknownRustTest names the packages of the workspace that were not built and
// have such a test, else the tests whose path, or last part, is like the name.
func (j *job) unknownRustTest(where string, suites []suite, m *metadata) error {
	if docTest.MatchString(j.Test) {
		return fault.New(fault.InvalidTarget, "%s is an example in a comment: rustdoc builds and runs it, and leaves no program to debug", j.Test).WithField("test").
			WithHint("put its code into a #[test] function and name that")
	}
	if others := m.othersWith(lastPart(j.Test), suites); len(others) > 0 {
		return fault.NoTest("there is no test %s in %s", j.Test, where).
			WithHint("the package %s has a function of this name: give it as module, {\"module\":%q,\"test\":%q}", strings.Join(others, ", and "), others[0], j.Test)
	}
	var all []string
	ends := map[string]string{}
	for _, s := range suites {
		for _, name := range s.tests {
			all = append(all, name)
			ends[lastPart(name)] = name
		}
	}
	return noSuchTest(j.Test, where, all, ends)
}

// othersWith are the packages none of whose tests were built, and in whose
// source a function of this name stands.
func (m *metadata) othersWith(function string, built []suite) (names []string) {
	if m == nil {
		return nil
	}
	head, err := regexp.Compile(`\bfn\s+` + regexp.QuoteMeta(function) + `\b`)
	if err != nil {
		return nil
	}
	for _, p := range m.Packages {
		if !slices.ContainsFunc(built, func(s suite) bool { return s.artifact.Manifest == p.Manifest }) && m.has(p, head) {
			names = append(names, p.Name)
		}
	}
	return names
}

// has says whether a package's own source matches.
func (m *metadata) has(p cargoPackage, pattern *regexp.Regexp) bool {
	found := errors.New("found")
	return errors.Is(filepath.WalkDir(p.dir(), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read is not there
		case entry.IsDir() && path != p.dir() && (path == m.Output || strings.HasPrefix(entry.Name(), ".") || prepare.IsFile(filepath.Join(path, "Cargo.toml"))):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".rs":
			return nil
		}
		if text, err := boundedfile.ReadText(path); err == nil && pattern.Match(text) {
			return found
		}
		return nil
	}), found)
}
