package install

import (
	"context"
	"os"
	"path/filepath"
)

// Condition is how an installed component is.
type Condition string

// The conditions of a component.
const (
	Whole    Condition = "whole"
	Damage   Condition = "damaged"
	Absent   Condition = "not installed"
	Outdated Condition = "outdated" // whole, but not what is pinned now
)

// Health is what Verify found.
type Health struct {
	Component Component
	Version   string // installed
	Condition Condition
	Files     []string // that are missing or changed
}

// Verify reads every file of a component and compares it with what was written
// when it was installed, and that with the manifest. Files that were added (such
// as a language's caches) are not looked at.
func (s Store) Verify(ctx context.Context, c Component) (Health, error) {
	h := Health{Component: c, Condition: Absent}
	version, err := s.Installed(c.Name)
	if isAbsent(err) {
		return h, nil
	}
	if err != nil {
		return h, unknownState(c.Name, err)
	}
	h.Version, h.Condition = version, Whole
	files, err := s.record(c.Name)
	switch {
	case unread(err):
		return h, unknownState(c.Name, err)
	case err != nil:
		h.Condition, h.Files = Damage, []string{recordFile}
		return h, nil
	}
	for _, f := range files {
		if ctx.Err() != nil {
			return h, context.Cause(ctx)
		}
		path := filepath.Join(s.Dir(c.Name), filepath.FromSlash(f.Path))
		got, err := digestOf(path)
		if err != nil && isFile(path) {
			return h, unknownState(c.Name, err)
		}
		if err != nil || got != f.SHA256 {
			h.Condition = Damage
			h.Files = append(h.Files, f.Path)
		}
	}
	if h.Condition == Whole && !s.current(c) {
		h.Condition = Outdated
	}
	return h, nil
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// current says that what was installed is what the manifest pins now.
func (s Store) current(c Component) bool {
	if version, err := s.Installed(c.Name); err != nil || version != c.Version {
		return false
	}
	if !c.available(platform()) {
		return true // there are no pins to compare with
	}
	pins, err := c.Pins()
	if err != nil {
		return false
	}
	files, err := s.record(c.Name)
	return err == nil && FormatFiles(files) == FormatFiles(pins)
}
