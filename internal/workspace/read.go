package workspace

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/pattern"
	"aidb-mcp/internal/regular"
)

// maxSource is the largest source file that is read, in bytes.
const maxSource = 1 << 20

// read is the text of a file below the root, empty when it is too large, cannot
// be read, or the limit of files is reached.
func (s *scan) read(rel string) string {
	info, err := os.Stat(s.abs(rel))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		return ""
	}
	if s.parses--; s.parses < 0 {
		s.leave(directory{rel: path.Dir(rel)})
		return ""
	}
	text, err := regular.Read(s.abs(rel), maxSource)
	if err != nil {
		return ""
	}
	return string(text)
}

// files names the files of a directory that have one of these extensions.
func (d directory) files(extensions ...string) []string {
	var names []string
	for _, e := range d.entries {
		if !e.IsDir() && slices.Contains(extensions, strings.ToLower(path.Ext(e.Name()))) {
			names = append(names, e.Name())
		}
	}
	return names
}

// has says whether a directory has a file of that name.
func (d directory) has(name string) bool {
	for _, e := range d.entries {
		if e.Name() == name && !e.IsDir() {
			return true
		}
	}
	return false
}

// holds says whether a directory has a directory of that name.
func (d directory) holds(name string) bool {
	return slices.ContainsFunc(d.entries, func(e fs.DirEntry) bool { return e.Name() == name && e.IsDir() })
}

// exists says whether there is a file at a path below the root.
func (s *scan) exists(rel string) bool { return isFile(s.abs(rel)) }

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// lineOf is the number of the line where a pattern first matches, 0 when nowhere.
func lineOf(pattern *pattern.Pattern, text string) int {
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

func (s *scan) program(p Program) {
	same := func(q Program) bool {
		return q.Language == p.Language && q.Target == p.Target && q.Module == p.Module && q.Runner == p.Runner
	}
	if !slices.ContainsFunc(s.project.Programs, same) && s.room(len(s.project.Programs)) {
		s.project.Programs = append(s.project.Programs, p)
	}
}

// suite adds tests under their target, and the framework that they are of.
func (s *scan) suite(t Suite, names []string) {
	if len(names) == 0 {
		return
	}
	t.Total = len(names)
	t.Names = names[:min(len(names), maxNames)]
	s.note(t)
}

// unnamed notes tests whose names only their build tells, as those that macros make.
func (s *scan) unnamed(t Suite) {
	t.Whole = true
	s.note(t)
}

func (s *scan) note(t Suite) {
	if len(s.project.Tests) >= maxSuites {
		return
	}
	if t.Changed.IsZero() {
		t.Changed = s.changed(t.Target)
	}
	if t.Framework != undecided {
		s.frameworks[Framework{t.Language, t.Framework}] = true
	}
	s.project.Tests = append(s.project.Tests, t)
}

// changed is when a file was written; the zero time for what is none.
func (s *scan) changed(rel string) time.Time {
	info, err := os.Stat(s.abs(rel))
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}
	}
	return info.ModTime()
}

// sentence is the first sentence of a comment, empty when it has none.
func sentence(comment string) string {
	comment = strings.Join(strings.Fields(comment), " ")
	if end := strings.Index(comment, ". "); end >= 0 {
		return comment[:end+1]
	}
	return comment
}

// submatches are the first groups of all matches.
func submatches(pattern *pattern.Pattern, text string) []string {
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
