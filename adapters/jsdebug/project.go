package jsdebug

import (
	"encoding/json"
	"path/filepath"

	"aidb-mcp/adapters/jsdebug/project/npmscript"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

const manifestName = "package.json"

// project is the package that a file belongs to: the nearest directory with a
// package.json.
type project struct {
	dir      string // absolute; empty when there is no package.json
	manifest manifest
}

type manifest struct{ npmscript.Manifest }

// projectOf finds the package of a directory.
func projectOf(dir string) project {
	root := prepare.Upwards(dir, manifestName)
	if root == "" {
		return project{}
	}
	return project{dir: root, manifest: readManifest(root)}
}

// readManifest reads a package.json; one that cannot be read says nothing.
func readManifest(dir string) (m manifest) {
	text, err := boundedfile.ReadText(filepath.Join(dir, manifestName))
	if err == nil {
		_ = json.Unmarshal(text, &m)
	}
	return m
}

// installedPackage finds a package as node would from a directory: in the nearest
// node_modules that has it. Empty when there is none.
func installedPackage(dir, name string) string {
	root := prepare.Upwards(dir, filepath.Join("node_modules", name, manifestName))
	if root == "" {
		return ""
	}
	return filepath.Join(root, "node_modules", name)
}

// moduleSyntax matches what only an ES module has.
var moduleSyntax = pattern.New(`(?m)^\s*(?:import\s*(?:[\w{*"']|type\b)|export\s+(?:default|const|let|var|function|class|async|type|interface|\{|\*)|(?:const|let|var)\s+.*=\s*await\b|await\s)`)

// isModule says that node will take a file for an ES module, for sure or by its
// looks: then errors at its top level are no errors to V8.
func isModule(file string) bool {
	switch filepath.Ext(file) {
	case ".mjs", ".mts":
		return true
	case ".cjs", ".cts":
		return false
	}
	if projectOf(filepath.Dir(file)).manifest.Type == "module" {
		return true
	}
	text, err := boundedfile.ReadText(file)
	return err == nil && moduleSyntax.Match(text)
}

// comments matches what is allowed in a tsconfig.json beyond JSON, and strings,
// so that what looks like a comment in them is left alone.
var comments = pattern.New(`"(?:[^"\\]|\\.)*"|//[^\n]*|(?s:/\*.*?\*/)|,(\s*[}\]])`)

// plainJSON makes JSON of JSON with comments and trailing commas.
func plainJSON(text []byte) []byte {
	return comments.ReplaceAllFunc(text, func(found []byte) []byte {
		switch found[0] {
		case '"':
			return found
		case ',':
			return found[1:]
		}
		return nil
	})
}
