package java

import (
	"bufio"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/java/project/javasrc"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
)

const (
	mostDirs = 5000 // looked at for sources
	headSize = 16 << 10
)

// packageOf is the package that a source file declares.
func packageOf(file string) string {
	f, err := boundedfile.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	head, _ := bufio.NewReaderSize(f, headSize).Peek(headSize)
	return javasrc.Package(string(head))
}

// rootOf is the directory that a source file's packages begin in.
func rootOf(file string) string {
	dir := filepath.Dir(file)
	pkg := packageOf(file)
	if pkg == "" {
		return dir
	}
	suffix := string(filepath.Separator) + filepath.Join(strings.Split(pkg, ".")...)
	if root, ok := strings.CutSuffix(dir, suffix); ok {
		return root
	}
	return dir // it lies where its package does not say
}

// sourceRoots finds the roots of all sources below a directory. All files of a
// directory are of one package, so that one of each is looked at.
func sourceRoots(top string) []string {
	var roots []string
	dirs := 0
	seen := ""
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read holds no sources of ours
		}
		if d.IsDir() {
			name := d.Name()
			dirs++
			if path != top && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "target" && !strings.Contains(path, "src")) {
				return fs.SkipDir
			}
			if dirs > mostDirs {
				return fs.SkipAll
			}
			return nil
		}
		if filepath.Ext(path) != ".java" || seen == filepath.Dir(path) || d.Name() == "module-info.java" || d.Name() == "package-info.java" {
			return nil
		}
		seen = filepath.Dir(path)
		if root := rootOf(path); !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
		return nil
	})
	return roots
}

// allSources are the roots in which the sources of the program's classes are
// looked for: those that the user names, then the program's own, then whatever
// the workspace holds.
func (j job) allSources(own []string, home string) ([]string, error) {
	var roots []string
	add := func(more ...string) {
		for _, root := range more {
			if root != "" && !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
	}
	for _, dir := range j.SourcePaths {
		path := prepare.Locate(j.Request, dir)
		if !prepare.IsDir(path) {
			return nil, fault.New(fault.InvalidParam, "source_paths: %s is not a directory", prepare.Show(j.Request, path)).
				WithField("source_paths").WithHint("give the directories that the packages begin in, such as src/main/java")
		}
		add(path)
		add(sourceRoots(path)...)
	}
	for _, m := range j.PathMappings {
		path := prepare.Locate(j.Request, m.Local)
		found := sourceRoots(path)
		if len(found) == 0 {
			return nil, fault.New(fault.InvalidParam, "path_mappings: %s holds no Java sources, so nothing is mapped", prepare.Show(j.Request, path)).
				WithField("path_mappings").WithHint("compiled classes name only their package and file: local is the directory with the sources, remote does not matter")
		}
		add(found...)
	}
	add(own...)
	if home == "" {
		home = j.Workspace
	}
	if home != "" {
		add(sourceRoots(home)...)
	}
	return roots, nil
}
