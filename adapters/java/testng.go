package java

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

var importsTestNG = pattern.New(`(?m)^\s*import\s+(?:static\s+)?org\.testng\.`)

// usesTestNG says that a file's tests are TestNG's.
func usesTestNG(file string) bool {
	text, err := boundedfile.ReadText(file)
	return err == nil && importsTestNG.Match(text)
}

// refusedTestNG is a suite of one run of a test that has several: on the command
// line TestNG takes no number.
func refusedTestNG(chosen choice) string {
	t := chosen.tests[0]
	return fmt.Sprintf(`<suite name="one"><test name="one"><classes><class name="%s"><methods><include name="%s" invocation-numbers="%d"/></methods></class></classes></test></suite>`,
		html.EscapeString(t.Class.Name), html.EscapeString(t.Name), chosen.index-1)
}

// runTestNG has TestNG's own command run the tests. The reports that it writes
// beside what it prints are for nobody.
func (a *adapter) runTestNG(p *program, chosen choice) error {
	if p.scratch == "" {
		dir, err := a.newBuildDir()
		if err != nil {
			return err
		}
		p.scratch = dir
	}
	p.main = "org.testng.TestNG"
	p.arguments = []string{"-verbose", "2", "-d", filepath.Join(p.scratch, "reports")}
	if chosen.index > 0 {
		suite := filepath.Join(p.scratch, "one.xml")
		p.arguments = append(p.arguments, suite)
		return os.WriteFile(suite, []byte(refusedTestNG(chosen)), 0o600)
	}
	var names []string
	for _, t := range chosen.tests {
		name := t.Class.Name
		if !chosen.whole {
			name += "." + t.Name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	option := "-methods"
	if chosen.whole {
		option = "-testclass"
	}
	p.arguments = append(p.arguments, option, strings.Join(names, ","))
	return nil
}
