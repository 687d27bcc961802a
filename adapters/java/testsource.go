package java

import (
	"path/filepath"
	"slices"

	"aidb-mcp/adapters/java/project/javasrc"
	"aidb-mcp/internal/system/boundedfile"
)

// findTests reads the sources of a file or of all below a directory.
func findTests(top string) []javasrc.Test {
	var classes []*javasrc.Class
	if filepath.Ext(top) == ".java" {
		// What it inherits tests from lies beside it, if anywhere near.
		beside, _ := filepath.Glob(filepath.Join(filepath.Dir(top), "*.java"))
		for _, file := range beside {
			classes = append(classes, classesIn(file)...)
		}
		return slices.DeleteFunc(javasrc.Tests(classes), func(t javasrc.Test) bool { return t.Class.File != top })
	}
	eachSource(top, func(file string) { classes = append(classes, classesIn(file)...) })
	return javasrc.Tests(classes)
}

// classesIn are the classes of a file that may have tests.
func classesIn(file string) []*javasrc.Class {
	text, err := boundedfile.ReadText(file)
	if err != nil {
		return nil
	}
	classes := javasrc.Classes(string(text))
	for _, c := range classes {
		c.File = file
	}
	return classes
}
