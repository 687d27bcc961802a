package build

import (
	"strings"

	"aidb-mcp/adapters/prepare"
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
