package build

import (
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/text/pattern"
)

// How a machine comes by the compilers.
const (
	getRust = "install Rust (https://rustup.rs)"
	getCPP  = "install gcc or clang (on Debian: apt install g++)"
)

// Missing says which compiler is not there to build a program of the language
// in an environment, and what brings it; empty when one is there.
func (l Language) Missing(env []string) (what, remedy string) {
	what, remedy = "a C or C++ compiler", getCPP
	variables, names := []string{"CC", "CXX"}, []string{"cc", "gcc", "clang", "c++", "g++", "clang++"}
	if l == Rust {
		what, remedy = "rustc", getRust
		variables, names = []string{"CARGO", "RUSTC"}, []string{"cargo", "rustc"}
	}
	for _, v := range variables {
		names = append(names, strings.Fields(prepare.Lookup(env, v))...)
	}
	if _, there := (&job{env: env}).find(names...); there {
		return "", ""
	}
	return what, remedy
}

var (
	notFound = pattern.New(`(?m)Could NOT find (\w+)|Could not find a package configuration file provided by "(\w+)"|Dependency "([\w-]+)" not found|fatal error: '?(\w+)/\S+?'?(?::| file) (?:No such file|not found)`)
	// getFramework is how a machine comes by the frameworks that tests are written with, by
	// the names of their packages and of their headers' directories.
	getFramework = map[string]string{
		"gtest": "install GoogleTest (on Debian: apt install libgtest-dev)", "gmock": "install GoogleMock (on Debian: apt install libgmock-dev)",
		"catch2": "install Catch2 (on Debian: apt install catch2)", "doctest": "install doctest (on Debian: apt install doctest-dev)",
	}
)

// missingFramework is how to come by the test framework that a build has not found;
// empty when it misses none.
func missingFramework(text string) string {
	for _, m := range notFound.FindAllStringSubmatch(text, -1) {
		name, _, _ := strings.Cut(strings.ToLower(m[1]+m[2]+m[3]+m[4]), "-") // catch2-with-main
		name = strings.TrimSuffix(name, "_main")
		if remedy, known := getFramework[name]; known {
			return remedy
		}
	}
	return ""
}
