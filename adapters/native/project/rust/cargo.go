package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"aidb-mcp/internal/project/workspace"
)

// manifest is what of a Cargo.toml says what there is to start.
type manifest struct {
	dir     string
	Package *struct {
		Name       string
		DefaultRun string `toml:"default-run"`
	}
	Workspace *struct {
		Default []string `toml:"default-members"`
	}
	Features           map[string][]string
	Lib                cargoTarget
	Bin, Example, Test []cargoTarget
}

// cargoTarget is a target that a manifest describes.
type cargoTarget struct {
	Name, Path string
	Features   []string `toml:"required-features"`
}

// cargo reads the Cargo.toml of a directory.
func (s *scan) cargo(dir workspace.Directory) {
	if !dir.Has("Cargo.toml") {
		return
	}
	m := &manifest{dir: dir.Rel}
	_ = toml.Unmarshal([]byte(s.Read(workspace.Join(dir.Rel, "Cargo.toml"))), m) // one that cannot be read says nothing
	s.manifests[dir.Rel] = m
}

// crate is the manifest of the package that a directory belongs to, nil when it is none's.
func (s *scan) crate(dir string) *manifest {
	for at := dir; ; at = path.Dir(at) {
		if m := s.manifests[at]; m != nil && m.Package != nil {
			return m
		}
		if at == "." {
			return nil
		}
	}
}

// isDefault says whether cargo builds a package when nothing is said.
func (s *scan) isDefault(m *manifest) bool {
	for at := m.dir; ; at = path.Dir(at) {
		if w := s.manifests[at]; w != nil && w.Workspace != nil {
			return slices.ContainsFunc(w.Workspace.Default, func(member string) bool { return path.Join(at, member) == m.dir })
		}
		if at == "." {
			return false
		}
	}
}

// defaults are the features that are on where nothing is said.
func (m *manifest) defaults() []string {
	on := []string{"default"}
	for i := 0; i < len(on); i++ {
		on = append(on, subtract(m.Features[on[i]], on)...)
	}
	return on
}

// testFeatures are those without which the test target that a file is is not built.
func (m *manifest) testFeatures(rel string) []string {
	inside := strings.TrimPrefix(rel, m.dir+"/")
	for _, t := range m.Test {
		if path.Clean(t.Path) == inside || t.Path == "" && t.Name == cargoName(inside, "tests") {
			return t.Features
		}
	}
	return nil
}

// target is what a source file with a main function is to its package: a program or
// an example, by the manifest or by where the file lies.
func (m *manifest) target(rel string) (kind string, t cargoTarget) {
	inside := strings.TrimPrefix(rel, m.dir+"/")
	for _, list := range []struct {
		kind    string
		targets []cargoTarget
		dir     string
	}{{cargoBinary, m.Bin, "src/bin"}, {cargoExample, m.Example, "examples"}} {
		name := cargoName(inside, list.dir)
		if inside == "src/main.rs" && list.kind == cargoBinary {
			name = m.Package.Name
		}
		for _, t := range list.targets {
			if path.Clean(t.Path) == inside || t.Path == "" && t.Name == name {
				return list.kind, t
			}
		}
		if name != "" {
			return list.kind, cargoTarget{Name: name}
		}
	}
	return "", cargoTarget{}
}

// Kinds of programs that Cargo builds.
const (
	cargoBinary  = "cargo binary"
	cargoExample = "cargo example"
)

// cargoName is the name of the target that Cargo finds by itself in a file of a
// directory: "tool" in src/bin/tool.rs and in src/bin/tool/main.rs.
func cargoName(inside, dir string) string {
	rest, ok := strings.CutPrefix(inside, dir+"/")
	if !ok {
		return ""
	}
	if name, ok := strings.CutSuffix(rest, "/main.rs"); ok {
		rest = name + ".rs"
	}
	if name, ok := strings.CutSuffix(rest, ".rs"); ok && !strings.Contains(name, "/") {
		return name
	}
	return ""
}

// modulePrefix is the path of the module that a file is, as tests are named:
// "cart::price::" for src/cart/price.rs, empty for the root of a target.
func (m *manifest) modulePrefix(rel string) string {
	inside := strings.TrimPrefix(rel, m.dir+"/")
	root := ""
	for _, dir := range m.roots(inside) {
		if strings.HasPrefix(inside, dir+"/") && len(dir) > len(root) {
			root = dir
		}
	}
	if root == "" || m.isTarget(inside) {
		return ""
	}
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(inside, root+"/"), ".rs"), "/")
	switch last := parts[len(parts)-1]; {
	case last == "mod", len(parts) == 1 && (last == "main" || last == "lib"):
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "::") + "::"
}

// targets are all those that a manifest describes.
func (m *manifest) targets() []cargoTarget {
	return slices.Concat([]cargoTarget{m.Lib}, m.Bin, m.Example, m.Test)
}

// isTarget says whether a file is the root of a target: described, or found by its place.
func (m *manifest) isTarget(inside string) bool {
	return slices.ContainsFunc([]string{"src/bin", "examples", "tests", "benches"}, func(dir string) bool { return cargoName(inside, dir) != "" }) ||
		slices.ContainsFunc(m.targets(), func(t cargoTarget) bool { return path.Clean(t.Path) == inside })
}

// roots are directories below which a file is a module of a target.
func (m *manifest) roots(inside string) []string {
	dirs := []string{"src"}
	for _, t := range m.targets() {
		if t.Path != "" {
			dirs = append(dirs, path.Dir(path.Clean(t.Path)))
		}
	}
	for _, found := range []string{"src/bin/", "examples/", "tests/", "benches/"} { // tests/NAME/main.rs
		if rest, ok := strings.CutPrefix(inside, found); ok {
			name, _, _ := strings.Cut(rest, "/")
			dirs = append(dirs, found+name)
		}
	}
	return dirs
}
