package java

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters/java/project/javasrc"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/text/pattern"
)

// A choice is which tests a name means.
type choice struct {
	tests []javasrc.Test
	whole bool // their whole class
	index int  // the one run of a test with several, counted from 1; 0: all
}

var indexed = pattern.New(`\[(\d+)\]$`)

// chooseTests finds what is meant by "CalcTest", "CalcTest.adds", "CalcTest#adds",
// "shop.CalcTest.adds", "adds", "adds[2]", or nothing: all of the only class there
// is. A test of a nested class goes by the names of the outer ones, too.
func chooseTests(known []javasrc.Test, name, where string) (choice, error) {
	if len(known) == 0 {
		return choice{}, fault.New(fault.InvalidTarget, "%s has no tests of JUnit or TestNG", where).WithField("target").
			WithHint("tests are methods marked @Test; give the file or the directory that holds them")
	}
	asked, index := name, 0
	if m := indexed.FindStringSubmatch(name); m != nil {
		index, _ = strconv.Atoi(m[1])
		name = strings.TrimSuffix(name, m[0])
	}
	name = strings.NewReplacer("#", ".", "$", ".").Replace(strings.TrimSpace(name))
	if open := strings.IndexByte(name, '('); open > 0 {
		name = name[:open]
	}
	var byClass, byMethod, byOuter []javasrc.Test
	for _, t := range known {
		switch class := t.Dotted(); {
		case name == "" || class == name || strings.HasSuffix(class, "."+name):
			byClass = append(byClass, t)
		case isNamed(class, t.Name, name):
			byMethod = append(byMethod, t)
		case isNamed(class[:len(class)-len(t.Class.Name)+strings.IndexByte(t.Class.Name+"$", '$')], t.Name, name):
			byOuter = append(byOuter, t)
		}
	}
	found := byMethod
	if len(found) == 0 && len(byClass) == 0 {
		found = byOuter
	}
	whole := len(found) == 0
	if whole {
		found = byClass
	}
	classes := classesOf(found)
	switch {
	case len(found) == 0:
		return choice{}, unknownTest(known, name, where)
	case len(classes) > 1 && name == "" || len(classes) > 1 && !whole:
		return choice{}, fault.New(fault.InvalidParam, "%q means tests of several classes", cmp.Or(asked, where)).WithField("test").
			WithHint("name one: %s", strings.Join(classes[:min(len(classes), 5)], ", ")).WithDetails(prepare.Candidates{Candidates: classes})
	}
	return choice{found, whole, index}, nil
}

// isNamed says that a name, perhaps without its beginning, is that of a class's method.
func isNamed(class, method, name string) bool {
	full := class + "." + method
	return full == name || strings.HasSuffix(full, "."+name)
}

func classesOf(tests []javasrc.Test) []string {
	var names []string
	for _, t := range tests {
		if !slices.Contains(names, t.Class.Name) {
			names = append(names, t.Class.Name)
		}
	}
	return names
}

func unknownTest(known []javasrc.Test, name, where string) error {
	var names []string
	for _, t := range known {
		names = append(names, t.Short(), t.Name, t.Class.Name)
	}
	f := fault.NoTest("there is no test %q in %s", name, where)
	like := source.Closest(name, names, 3)
	if len(like) > 0 {
		return prepare.Suggest(f, like)
	}
	var short []string
	for _, t := range known[:min(len(known), 8)] {
		short = append(short, t.Short())
	}
	return f.WithHint("there are: %s", strings.Join(short, ", "))
}
