package workspace

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// MaxSource is the largest source file that is read, in bytes.
const MaxSource = 1 << 20

// Read is the text of a file below the root, empty when it is too large, cannot
// be read, or the limit of files is reached.
func (s *Look) Read(rel string) string {
	info, err := os.Stat(s.Abs(rel))
	if err != nil || !info.Mode().IsRegular() || info.Size() > MaxSource {
		return ""
	}
	if !s.Spend() {
		s.leave(Directory{Rel: path.Dir(rel)})
		return ""
	}
	text, err := boundedfile.Read(s.Abs(rel), MaxSource)
	if err != nil {
		return ""
	}
	return string(text)
}

// Spend counts a file that is read, and says whether there may be one more.
func (s *Look) Spend() bool {
	s.parses--
	return s.parses >= 0
}

// AddFramework notes a test framework that is in use.
func (s *Look) AddFramework(f Framework) { s.frameworks[f] = true }

// Uses says whether a test framework is in use.
func (s *Look) Uses(f Framework) bool { return s.frameworks[f] }

// Files names the files of a directory that have one of these extensions.
func (d Directory) Files(extensions ...string) []string {
	var names []string
	for _, e := range d.Entries {
		if !e.IsDir() && slices.Contains(extensions, strings.ToLower(path.Ext(e.Name()))) {
			names = append(names, e.Name())
		}
	}
	return names
}

// Has says whether a directory has a file of that name.
func (d Directory) Has(name string) bool {
	for _, e := range d.Entries {
		if e.Name() == name && !e.IsDir() {
			return true
		}
	}
	return false
}

// Holds says whether a directory has a directory of that name.
func (d Directory) Holds(name string) bool {
	return slices.ContainsFunc(d.Entries, func(e fs.DirEntry) bool { return e.Name() == name && e.IsDir() })
}

// Exists says whether there is a file at a path below the root.
func (s *Look) Exists(rel string) bool { return IsFile(s.Abs(rel)) }

// IsFile says whether there is a file at a path.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// LineOf is the number of the line where a pattern first matches, 0 when nowhere.
func LineOf(pattern *pattern.Pattern, text string) int {
	at := pattern.FindStringIndex(text)
	if at == nil {
		return 0
	}
	start := at[0]
	for start < at[1] && (text[start] == '\n' || text[start] == ' ' || text[start] == '\t') {
		start++ // what the pattern matches before its first word
	}
	return strings.Count(text[:start], "\n") + 1
}

// AddProgram adds a program that is not among them yet.
func (s *Look) AddProgram(p Program) {
	same := func(q Program) bool {
		return q.Language == p.Language && q.Target == p.Target && q.Module == p.Module && q.Runner == p.Runner
	}
	if !slices.ContainsFunc(s.Project.Programs, same) && s.Room(len(s.Project.Programs)) {
		s.Project.Programs = append(s.Project.Programs, p)
	}
}

// AddSuite adds tests under their target, and the framework that they are of.
func (s *Look) AddSuite(t Suite, names []string) {
	if len(names) == 0 {
		return
	}
	t.Total = len(names)
	t.Names = names[:min(len(names), MaxNames)]
	s.note(t)
}

// AddUnnamed notes tests whose names only their build tells, as those that macros make.
func (s *Look) AddUnnamed(t Suite) {
	t.Whole = true
	s.note(t)
}

func (s *Look) note(t Suite) {
	if len(s.Project.Tests) >= maxSuites {
		return
	}
	if t.Changed.IsZero() {
		t.Changed = s.Changed(t.Target)
	}
	if t.Framework != "" {
		s.frameworks[Framework{t.Language, t.Framework}] = true
	}
	s.Project.Tests = append(s.Project.Tests, t)
}

// Changed is when a file was written; the zero time for what is none.
func (s *Look) Changed(rel string) time.Time {
	info, err := os.Stat(s.Abs(rel))
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}
	}
	return info.ModTime()
}

// Sentence is the first sentence of a comment, empty when it has none.
func Sentence(comment string) string {
	comment = strings.Join(strings.Fields(comment), " ")
	if end := strings.Index(comment, ". "); end >= 0 {
		return comment[:end+1]
	}
	return comment
}

// Submatches are the first groups of all matches.
func Submatches(pattern *pattern.Pattern, text string) []string {
	var found []string
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		if name := firstOf(m[1:]); name != "" {
			found = append(found, name)
		}
	}
	return found
}

func firstOf(list []string) string {
	for _, text := range list {
		if text != "" {
			return text
		}
	}
	return ""
}
