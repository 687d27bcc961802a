package install

import (
	"context"
	"path/filepath"
)

// Condition is how an installed component is.
type Condition string

// The conditions of a component.
const (
	Whole    Condition = "whole"
	Damage   Condition = "damaged"
	Absent   Condition = "not installed"
	Outdated Condition = "outdated" // whole, but another version is pinned now
)

// Health is what Verify found.
type Health struct {
	Component Component
	Version   string // installed
	Condition Condition
	Files     []string // that are missing or changed
}

// Verify reads every file of a component and compares it with the manifest, or,
// where another version is installed than the pinned one, with what was written
// then. Files that were added (such as a language's caches) are not looked at.
func (s Store) Verify(ctx context.Context, c Component) (Health, error) {
	h := Health{Component: c, Condition: Absent}
	version, ok := s.Installed(c.Name)
	if !ok {
		return h, nil
	}
	h.Version, h.Condition = version, Whole
	if version != c.Version {
		h.Condition = Outdated
	}
	files, err := s.record(c.Name)
	if version == c.Version {
		files, err = c.Pins()
	}
	if err != nil {
		h.Condition, h.Files = Damage, []string{recordFile}
		return h, nil
	}
	for _, f := range files {
		if ctx.Err() != nil {
			return h, context.Cause(ctx)
		}
		got, err := digestOf(filepath.Join(s.Dir(c.Name), filepath.FromSlash(f.Path)))
		if err != nil || got != f.SHA256 {
			h.Condition = Damage
			h.Files = append(h.Files, f.Path)
		}
	}
	return h, nil
}
