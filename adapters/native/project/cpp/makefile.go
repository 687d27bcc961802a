package cpp

import (
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

var (
	makeAssign = pattern.New(`^(\w+)\s*(?:::?:?|\?)?=\s*(.*)$`)
	makeRule   = pattern.New(`^([^\s#:=][^:=#]*?)\s*::?(?:\s+(.*))?$`)
	makeUse    = pattern.New(`\$[({](\w+)[)}]`)
)

// makefile is what of a makefile is plain: what it makes, and of what.
type makefile struct{ goals []goal }

type goal struct {
	name  string
	needs []string
}

// readMakefile reads the rules of a makefile that make programs. Only variables
// with a plain value are filled in.
func readMakefile(text string) *makefile {
	m := &makefile{}
	variables, phony := map[string]string{}, []string{"all", "clean", "install", "test", "check"}
	expand := func(text string) string {
		for range 4 { // a variable in a variable
			for _, use := range makeUse.FindAllStringSubmatch(text, -1) {
				if value, known := variables[use[1]]; known {
					text = strings.ReplaceAll(text, use[0], value)
				}
			}
		}
		return text
	}
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.Lines(text) {
		line = strings.TrimRight(cmakeComment.ReplaceAllString(line, ""), " \r\n")
		if a := makeAssign.FindStringSubmatch(line); a != nil {
			variables[a[1]] = a[2]
			continue
		}
		r := makeRule.FindStringSubmatch(line)
		if r == nil {
			continue
		}
		needs := strings.Fields(expand(r[2]))
		if r[1] == ".PHONY" {
			phony = append(phony, needs...)
		}
		for name := range strings.FieldsSeq(expand(r[1])) {
			if made := path.Ext(name); !strings.ContainsAny(name, "%$()") && name[0] != '.' && (made == "" || made == ".exe") {
				m.goals = append(m.goals, goal{name, needs})
			}
		}
	}
	m.goals = slices.DeleteFunc(m.goals, func(g goal) bool { return slices.Contains(phony, g.name) })
	return m
}

// goalOf is the program that a source file is part of, by its name or by what the
// program is made of; empty where that is not plain. The file is relative to the
// makefile.
func (m *makefile) goalOf(source string) string {
	base := path.Base(source)
	stem := strings.TrimSuffix(base, path.Ext(base))
	whole := strings.TrimSuffix(source, path.Ext(source))
	for _, is := range []func(goal) bool{
		func(g goal) bool { return strings.TrimSuffix(path.Base(g.name), ".exe") == stem },
		func(g goal) bool {
			return g.isMadeOf(func(need string) bool { return strings.HasSuffix("/"+need, "/"+whole) })
		},
		func(g goal) bool { return g.isMadeOf(func(need string) bool { return path.Base(need) == stem }) },
	} {
		if i := slices.IndexFunc(m.goals, is); i >= 0 {
			return m.goals[i].name
		}
	}
	return ""
}

// isMadeOf says whether a goal needs a source or an object file, by its path without
// the extension.
func (g goal) isMadeOf(is func(need string) bool) bool {
	return slices.ContainsFunc(g.needs, func(need string) bool {
		end := path.Ext(need)
		return (end == ".o" || slices.Contains(cSources, end)) && is(strings.TrimSuffix(need, end))
	})
}
