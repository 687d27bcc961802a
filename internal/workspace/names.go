package workspace

import (
	"path"
	"strings"
)

// LanguageOf names the language of a source file by its name, empty when it is none.
func LanguageOf(file string) string { return languageOf(file) }

// languageOf names the language of a source file, empty when it is none.
func languageOf(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return "go"
	case ".py", ".pyw":
		return "python"
	case ".js", ".mjs", ".cjs", ".jsx":
		return "javascript"
	case ".ts", ".mts", ".cts", ".tsx":
		return "typescript"
	case ".java":
		return "java"
	case ".kt", ".kts":
		return "kotlin"
	case ".c", ".h":
		return "c"
	case ".cc", ".cpp", ".cxx", ".hpp", ".hh":
		return "cpp"
	case ".rs":
		return "rust"
	case ".rb":
		return "ruby"
	case ".cs":
		return "csharp"
	case ".php":
		return "php"
	case ".zig":
		return "zig"
	case ".swift":
		return "swift"
	}
	return ""
}

// buildOf recognises a build file by its name.
func buildOf(name string) (Build, bool) {
	switch name {
	case "go.mod":
		return Build{Kind: "Go module", Language: "go"}, true
	case "go.work":
		return Build{Kind: "Go workspace", Language: "go"}, true
	case "Makefile", "makefile", "GNUmakefile":
		return Build{Kind: "Makefile"}, true
	case "CMakeLists.txt":
		return Build{Kind: "CMake", Language: "cpp"}, true
	case "MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel":
		return Build{Kind: "Bazel"}, true
	case "configure.ac":
		return Build{Kind: "GNU build system", Language: "cpp"}, true
	case "meson.build":
		return Build{Kind: "Meson", Language: "cpp"}, true
	case "Cargo.toml":
		return Build{Kind: "Cargo", Language: "rust"}, true
	case "package.json":
		return Build{Kind: "npm package", Language: "javascript"}, true
	case "tsconfig.json":
		return Build{Kind: "TypeScript project", Language: "typescript"}, true
	case "pyproject.toml", "setup.py", "setup.cfg":
		return Build{Kind: "Python project", Language: "python"}, true
	case "requirements.txt", "Pipfile":
		return Build{Kind: "Python requirements", Language: "python"}, true
	case "pom.xml":
		return Build{Kind: "Maven", Language: "java"}, true
	case "build.gradle", "build.gradle.kts":
		return Build{Kind: "Gradle", Language: "java"}, true
	case "build.zig":
		return Build{Kind: "Zig build", Language: "zig"}, true
	case "Gemfile":
		return Build{Kind: "Bundler", Language: "ruby"}, true
	}
	return Build{}, false
}

// frameworkOf recognises a test framework by its own configuration file.
func frameworkOf(name string) (Framework, bool) {
	stem, _, _ := strings.Cut(strings.TrimPrefix(name, "."), ".")
	switch {
	case strings.TrimPrefix(name, ".") == "pytest.ini" || strings.TrimPrefix(name, ".") == "pytest.toml" || name == "conftest.py":
		return Framework{"python", "pytest"}, true
	case name == "tox.ini":
		return Framework{"python", "tox"}, true
	case strings.Contains(name, ".config.") && (stem == "jest" || stem == "vitest" || stem == "playwright"):
		return Framework{"javascript", stem}, true
	case stem == "mocharc":
		return Framework{"javascript", "mocha"}, true
	}
	return Framework{}, false
}
