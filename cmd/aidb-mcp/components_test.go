package main

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/adapters/install"
)

// Every component is pinned completely, and its layout leads where its pins say.
func TestComponents(t *testing.T) {
	manifest := (&app{log: slog.New(slog.DiscardHandler)}).registry().Components()
	if len(manifest) == 0 {
		t.Fatal("no language names a component")
	}
	for i, c := range manifest {
		t.Run(c.Name, func(t *testing.T) {
			if i > 0 && manifest[i-1].Optional && !c.Optional {
				t.Errorf("%s comes first, without which languages can be debugged", manifest[i-1].Name)
			}
			pins, err := c.Pins()
			if err != nil || len(pins) <= len(c.Own) {
				t.Fatalf("%d pins, %v", len(pins), err)
			}
			var paths []string
			for _, f := range pins {
				paths = append(paths, f.Path)
				if to := func(to string) bool { return strings.HasPrefix(f.Path, to) }; !slices.ContainsFunc(destinations(c), to) {
					t.Errorf("nothing leads to %s", f.Path)
				}
			}
			slices.Sort(paths)
			if len(slices.Compact(paths)) != len(pins) {
				t.Error("a file is pinned twice")
			}
			for _, program := range c.Programs {
				if !slices.Contains(paths, program) {
					t.Errorf("the program %s is not pinned", program)
				}
			}
			if !slices.Contains([]string{"pip", "npm", "mvn"}, c.Source.Client) || len(c.Source.Packages) == 0 || c.Archive == "" {
				t.Errorf("no source: %+v", c.Source)
			}
			if found, err := manifest.Find(c.Name); err != nil || found.Version != c.Version {
				t.Errorf("by its name %s %s is found, %v", found.Name, found.Version, err)
			}
			for _, language := range c.Languages {
				if list := manifest.For(language); !slices.ContainsFunc(list, func(needed install.Component) bool { return needed.Name == c.Name }) {
					t.Errorf("%s needs %v", language, list)
				}
			}
		})
	}
}

func destinations(c install.Component) (list []string) {
	for _, m := range c.Layout {
		list = append(list, m.To)
	}
	return list
}
