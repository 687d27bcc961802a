package npmscript

import (
	"encoding/json"
	"maps"
	"slices"
)

// Manifest is what a package.json says.
type Manifest struct {
	Name            string            `json:"name"`
	Description     string            `json:"description"`
	Type            string            `json:"type"` // module or commonjs
	Main            string            `json:"main"`
	Exports         json.RawMessage   `json:"exports"`
	Module          string            `json:"module"`
	Types           string            `json:"types"`
	Typings         string            `json:"typings"`
	Files           []string          `json:"files"`
	Bin             json.RawMessage   `json:"bin"` // a path, or names with paths
	Jest            json.RawMessage   `json:"jest"`
	Workspaces      json.RawMessage   `json:"workspaces"`
	Scripts         Scripts           `json:"scripts"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
}

// Wants says that the package asks for another.
func (m *Manifest) Wants(name string) bool {
	_, used := m.Dependencies[name]
	_, forDevelopment := m.DevDependencies[name]
	return used || forDevelopment
}

// Bins are the programs that the package installs, in the order of their paths.
func (m *Manifest) Bins() []string {
	var one string
	if json.Unmarshal(m.Bin, &one) == nil && one != "" {
		return []string{one}
	}
	var many map[string]string
	_ = json.Unmarshal(m.Bin, &many)
	return slices.Sorted(maps.Values(many))
}
