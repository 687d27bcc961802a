package jsdebug

import (
	"maps"
	"path/filepath"
	"slices"

	"aidb-mcp/adapters/prepare"
)

// monorepo is the directory of the workspaces that a package is one of, of npm,
// yarn or pnpm; empty when it stands alone.
func monorepo(dir string) string {
	for dir != "" {
		above := prepare.Upwards(filepath.Dir(dir), manifestName)
		if above == "" || above == dir {
			return ""
		}
		if len(readManifest(above).Workspaces) > 0 || prepare.Exists(filepath.Join(above, "pnpm-workspace.yaml")) {
			return above
		}
		dir = above
	}
	return ""
}

// siblings are the packages of the same workspaces that a package uses, by
// others too.
func siblings(dir string) []string {
	root := monorepo(dir)
	if root == "" {
		return nil
	}
	found := []string{dir}
	for i := 0; i < len(found); i++ {
		m := readManifest(found[i])
		names := slices.Sorted(maps.Keys(m.Dependencies))
		for _, name := range append(names, slices.Sorted(maps.Keys(m.DevDependencies))...) {
			home := installedPackage(found[i], name)
			if home == "" {
				continue
			}
			home = prepare.Physical(home)
			if prepare.Inside(root, home) && !isLibrary(home) && !slices.Contains(found, home) {
				found = append(found, home)
			}
		}
	}
	return found[1:]
}

// withSiblings adds the patterns of the compiled files of the packages that a
// package uses of its workspaces: breakpoints in their sources bind by them.
func withSiblings(patterns []string, dir string) []string {
	for _, sibling := range siblings(dir) {
		var more []string
		if out := readTSConfig(sibling).CompilerOptions.OutDir; out != "" {
			more = []string{filepath.ToSlash(filepath.Join(sibling, out)) + "/**/*.(m|c|)js", "!**/node_modules/**"}
		} else if entry := entryOf(sibling); entry != "" {
			more = compiledAround(entry)
		}
		patterns = append(slices.Clone(patterns), more...)
	}
	return patterns
}
