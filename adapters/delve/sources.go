package delve

import (
	"debug/buildinfo"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/boundedfile"
)

// sources finds the module that a ready binary was built from among the
// directories that the request names.
func (j job) sources(info *buildinfo.BuildInfo) []string {
	if root := j.moduleOf(info); root != "" {
		return []string{root}
	}
	return nil
}

func (j job) moduleOf(info *buildinfo.BuildInfo) string {
	candidates := append([]string{j.Workspace}, j.SourcePaths...)
	if j.target != "" {
		candidates = append(candidates, filepath.Dir(j.target))
	}
	for _, dir := range candidates {
		if dir == "" {
			continue
		}
		root := moduleRoot(prepare.Locate(j.Request, dir))
		if root != "" && info.Main.Path != "" && modulePath(root) == info.Main.Path {
			return root
		}
	}
	return ""
}

// trimmedPaths maps the paths of a -trimpath binary to the module's directory: the
// compiler put the module's name in its place.
func (j job) trimmedPaths(program string) []wire.Path {
	info, err := serve.BuildInfo(program)
	if err != nil || buildSetting(info, "-trimpath") != "true" {
		return nil
	}
	if root := j.moduleOf(info); root != "" {
		return []wire.Path{{From: prepare.Physical(root), To: info.Main.Path}}
	}
	return nil
}

func modulePath(root string) string {
	text, err := boundedfile.ReadText(filepath.Join(root, "go.mod"))
	if err != nil {
		return ""
	}
	return modfile.ModulePath(text)
}
