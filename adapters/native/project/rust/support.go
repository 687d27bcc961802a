// Package rust says what projects of Rust are: their files, programs and tests.
package rust

import (
	"aidb-mcp/internal/project/workspace"
)

// Support is what is known of projects of Rust.
var Support = workspace.Support{
	Name:    "rust",
	Sources: map[string]string{".rs": "rust"},
	Builds:  map[string]workspace.Build{"Cargo.toml": {Kind: "Cargo", Language: "rust"}},
	Detect: func(look *workspace.Look) workspace.Detector {
		s := &scan{Look: look, manifests: map[string]*manifest{}, gates: map[string][]string{}}
		return workspace.Detector{Look: s.rust, Finish: s.requireFeatures}
	},
}

// scan is one look at a workspace.
type scan struct {
	*workspace.Look
	manifests map[string]*manifest // of Cargo, by their directories
	gates     map[string][]string  // features that modules need, by their paths without ".rs"
}
