package packaging

import (
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// unreleased is the version of what Go has built without looking at the repository.
const unreleased = "0.0.0-devel"

// Semantic is the version that Go has put into a binary, as registries want it.
func Semantic(stamped string) string {
	version, found := strings.CutPrefix(stamped, "v")
	if !found {
		return unreleased
	}
	version, _, _ = strings.Cut(version, "+") // what is not committed counts for no order
	return version
}

var (
	preRelease = pattern.New(`^(alpha|beta|rc)\.?(\d+)$`)
	between    = pattern.New(`^(?:[0-9a-z.]+\.)?(\d{14})-([0-9a-f]{12})$`) // Go's version of a commit without a tag
	unspoken   = pattern.New(`[^a-z0-9]+`)
)

// pythonVersion says a semantic version as Python does.
func pythonVersion(semantic string) string {
	core, before, _ := strings.Cut(semantic, "-")
	if before == "" {
		return core
	}
	if parts := preRelease.FindStringSubmatch(before); parts != nil {
		return core + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[parts[1]] + parts[2]
	}
	if parts := between.FindStringSubmatch(before); parts != nil {
		return core + ".dev" + parts[1] + "+" + parts[2]
	}
	return core + ".dev0+" + strings.Trim(unspoken.ReplaceAllString(strings.ToLower(before), "."), ".")
}

// debianVersion says it as Debian does, for which a dash begins its own revision
// and a tilde what comes before a release.
func debianVersion(semantic string) string {
	return strings.ReplaceAll(strings.Replace(semantic, "-", "~", 1), "-", ".")
}
