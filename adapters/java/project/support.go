// Package project says what projects of Java are: their files, programs and tests.
package project

import (
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

// Support is what is known of projects of Java.
var Support = workspace.Support{
	Name:    "java",
	Sources: map[string]string{".java": "java"},
	Builds: map[string]workspace.Build{
		"pom.xml":      {Kind: "Maven", Language: "java"},
		"build.gradle": {Kind: "Gradle", Language: "java"}, "build.gradle.kts": {Kind: "Gradle", Language: "java"},
	},
	PackageRoot: packageRoot,
	Late:        true,
	DebugPorts:  []int{5005},
	DebugWords:  pattern.New(`jdwp=\S*?address=(?:[^\s:,]*:)?(\d+)`),
	Detect: func(look *workspace.Look) workspace.Detector {
		s := &scan{Look: look, javas: javaScan{declared: map[string]bool{}, tests: map[javaClass]*javaSources{}, late: map[string]bool{}}}
		return workspace.Detector{
			Look: s.java, Finish: s.arrangeJava,
			LastRuns: func() []workspace.Results { return []workspace.Results{s.javaResults()} },
		}
	},
}

// scan is one look at a workspace.
type scan struct {
	*workspace.Look
	javas javaScan
}

// packages are where directories begin to be Java's packages: com/example says
// nothing of what a class is for.
var (
	packages   = pattern.New(`(^|/)src/\w+/(?:java|kotlin)/.*`)
	sourceRoot = pattern.New(`^.*?src/\w+/(?:java|kotlin)/`)
)

// packageRoot is where the directories of a path begin to be packages, and what lies
// above its directories of sources.
func packageRoot(dir string) (root, above string, found bool) {
	if packages.FindStringIndex(dir) == nil {
		return "", "", false
	}
	return sourceRoot.FindString(dir), packages.ReplaceAllString(dir, "$1"), true
}
