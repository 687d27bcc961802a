// Package project says what projects of JavaScript and TypeScript are: their files,
// programs and tests.
package project

import (
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

// Support is what is known of projects of JavaScript and TypeScript.
var Support = workspace.Support{
	Name: "javascript",
	Sources: map[string]string{
		".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
		".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "typescript",
	},
	Builds: map[string]workspace.Build{
		"package.json":  {Kind: "npm package", Language: "javascript"},
		"tsconfig.json": {Kind: "TypeScript project", Language: "typescript"},
	},
	Framework:  framework,
	DebugPorts: []int{9229},
	DebugWords: pattern.New(`--inspect(?:-brk|-wait)?(?:[= ](?:\S*:)?(\d+))?(?:\s|$)`),
	Detect: func(look *workspace.Look) workspace.Detector {
		s := &scan{Look: look, packages: map[string]*npmManifest{}, runners: map[string]string{}, outputs: map[string]string{}}
		return workspace.Detector{BuildName: s.outputDir, Skips: s.isOutput, Look: s.javascript, LastRuns: s.lastRuns}
	},
}

// scan is one look at a workspace.
type scan struct {
	*workspace.Look
	packages map[string]*npmManifest // by the directory of their package.json
	outputs  map[string]string       // directories that TypeScript is compiled into, and their last names
	runners  map[string]string       // of tests, by the directory that says so
}

// framework is the one that a file configures.
func framework(name string) string {
	stem, _, _ := strings.Cut(strings.TrimPrefix(name, "."), ".")
	switch {
	case strings.Contains(name, ".config.") && (stem == "jest" || stem == "vitest" || stem == "playwright"):
		return stem
	case stem == "mocharc":
		return "mocha"
	}
	return ""
}

// outputDir is where a project of TypeScript is compiled into.
func (s *scan) outputDir(rel, name string) string {
	if name != "tsconfig.json" {
		return ""
	}
	return s.typescript(rel)
}

func (s *scan) isOutput(rel string) bool { return s.outputs[rel] != "" }

// lastRuns are the results that vitest and jest have kept.
func (s *scan) lastRuns() (list []workspace.Results) {
	for _, dir := range s.BuildDirectories() {
		list = append(list, s.vitestResults(dir))
	}
	if s.Uses(workspace.Framework{Language: "javascript", Name: "jest"}) {
		list = append(list, s.jestCache())
	}
	return list
}
