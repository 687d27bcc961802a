package java

import (
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/text/pattern"
)

// buildFiles mark the root of a project.
var (
	mavenFiles  = []string{"pom.xml"}
	gradleFiles = []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"}
)

// className matches "shop.Main" and "shop.Main$Inner".
var className = pattern.New(`^(?:[\p{L}_][\p{L}\p{N}_]*\.)*\p{Lu}[\p{L}\p{N}_$]*$`)

// Claims says how surely a request is Java's.
func (*adapter) Claims(r adapters.Request) int {
	target := r.Target
	if target == "" {
		target = r.Module
	}
	path := prepare.Locate(r, target)
	switch {
	case r.Attaches() && r.Debuggee.Runs("java"):
		return adapters.Certain
	case r.Attaches() && r.Debuggee.Protocol == adapters.JDWP:
		return 80
	case r.PID != 0 || r.Attaches() && r.Debuggee.Protocol != "":
		return 0
	case r.Attaches() && target == "":
		if hasBuildFile(r.Workspace) {
			return 30
		}
		return 0
	case slices.Contains([]string{".java", ".jar", ".class"}, filepath.Ext(target)):
		if prepare.Exists(path) {
			return 100
		}
		return 60
	case target != "" && prepare.IsDir(path) && hasBuildFile(path):
		return 80
	case target == "" && r.Workspace != "" && hasBuildFile(r.Workspace):
		return 50
	case className.MatchString(target) && strings.Contains(target, ".") && !prepare.Exists(path):
		return 30
	}
	return 0
}

func hasBuildFile(dir string) bool {
	for _, name := range slices.Concat(mavenFiles, gradleFiles) {
		if prepare.Exists(filepath.Join(dir, name)) {
			return true
		}
	}
	return false
}
