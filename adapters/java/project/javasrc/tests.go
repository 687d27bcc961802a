package javasrc

import (
	"slices"
	"strings"
)

// Test is a test as it is run: one that is inherited is one of each class that
// inherits it.
type Test struct {
	Class *Class
	Method
}

// Short is the test with its class as people write it, without a package: CalcTest.Nested.adds.
func (t Test) Short() string {
	return strings.ReplaceAll(t.Class.Name[strings.LastIndexByte(t.Class.Name, '.')+1:], "$", ".") + "." + t.Name
}

// Dotted is the class as people write it.
func (t Test) Dotted() string { return strings.ReplaceAll(t.Class.Name, "$", ".") }

// Tests are the tests of classes, those that they inherit among them: abstract
// classes have theirs run by the ones that extend them.
func Tests(classes []*Class) []Test {
	bySimple := map[string]*Class{}
	for _, c := range classes {
		bySimple[c.Name[strings.LastIndexAny(c.Name, ".$")+1:]] = c
	}
	var all []Test
	for _, c := range classes {
		if c.Abstract {
			continue
		}
		var seen []string
		above := map[*Class]bool{}
		for at := c; at != nil && !above[at]; at = bySimple[at.Parent[strings.LastIndexByte(at.Parent, '.')+1:]] {
			above[at] = true
			for _, m := range at.Methods {
				if !slices.Contains(seen, m.Name) {
					seen = append(seen, m.Name)
					all = append(all, Test{c, Method{m.Name, m.Off || c.off}})
				}
			}
		}
	}
	return all
}
