package java

import (
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

var importsJUnit4 = pattern.New(`(?m)^\s*import\s+org\.junit\.(?:Test|\*|runner\.\S+|runners\.\S+)\s*;`)

// usesJUnit4 says that a file's tests are JUnit 4's.
func usesJUnit4(file string) bool {
	text, err := boundedfile.ReadText(file)
	return err == nil && importsJUnit4.Match(text)
}

// noRowOfJUnit4 refuses one run of a test that JUnit 4 makes several of: it names
// them only as it runs, and all would run.
func noRowOfJUnit4(chosen choice) error {
	t := chosen.tests[0]
	return fault.New(fault.InvalidParam, "one row of %s cannot be chosen: JUnit 4 runs all rows of a parameterized class", t.Short()).WithField("test").
		WithHint("give %q; the row that fails stops, and a breakpoint with a condition on the row's values stops in another", t.Short())
}
