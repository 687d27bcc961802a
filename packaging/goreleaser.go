package packaging

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// artifact is a line of GoReleaser's artifacts.json.
type artifact struct {
	Name string `json:"name"`
	Path string `json:"path"`
	OS   string `json:"goos"`
	Arch string `json:"goarch"`
	Type string `json:"type"`
}

// ReadBuilds finds the binaries that GoReleaser has built. The paths that it noted
// are relative to the parent of its directory.
func ReadBuilds(dist string) ([]Build, error) {
	content, err := os.ReadFile(filepath.Join(dist, "artifacts.json"))
	if err != nil {
		return nil, err
	}
	var all []artifact
	if err := json.Unmarshal(content, &all); err != nil {
		return nil, fmt.Errorf("artifacts.json: %w", err)
	}
	var builds []Build
	for _, a := range all {
		if a.Type == "Binary" {
			builds = append(builds, Build{a.OS, a.Arch, filepath.Join(filepath.Dir(filepath.Clean(dist)), a.Path)})
		}
	}
	if len(builds) == 0 {
		return nil, fmt.Errorf("artifacts.json names no binary")
	}
	return builds, nil
}
