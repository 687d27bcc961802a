package java

import (
	"io/fs"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// sourceNamed is the one source of the workspace that a name without its
// directory means; without one, or with several, the path stays as it is.
func (j job) sourceNamed(path, target string) string {
	if j.Workspace == "" || filepath.IsAbs(target) || prepare.Exists(path) {
		return path
	}
	var found []string
	eachSource(j.Workspace, func(file string) {
		if strings.HasSuffix(file, string(filepath.Separator)+filepath.Clean(target)) {
			found = append(found, file)
		}
	})
	if len(found) != 1 {
		return path
	}
	return found[0]
}

// eachSource visits the sources below a directory, apart from those that a
// build has copied.
func eachSource(top string, visit func(file string)) {
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read holds no sources of ours
		case d.IsDir() && path != top && (strings.HasPrefix(d.Name(), ".") || d.Name() == "target" || d.Name() == "build" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir() && filepath.Ext(path) == ".java":
			visit(path)
		}
		return nil
	})
}

var mainMethod = pattern.New(`\bstatic\s+(?:final\s+)?void\s+main\s*\(`)

// runnable is the project that holds the class to start: a module, where a
// project is no more than its modules and one of them alone has such a class.
func (p project) runnable(j *job) project {
	if prepare.IsDir(filepath.Join(p.dir, "src")) {
		return p
	}
	var found []string
	for _, module := range p.modules(*j) {
		eachSource(filepath.Join(prepare.Locate(j.Request, module), "src", "main"), func(file string) {
			class, wanted := className1(file), j.options.MainClass
			if wanted != "" && wanted != class && !strings.HasSuffix(class, "."+wanted) {
				return
			}
			if text, err := boundedfile.ReadText(file); err == nil && mainMethod.Match(text) {
				found = append(found, file)
			}
		})
	}
	if len(found) != 1 {
		return p
	}
	j.options.MainClass = className1(found[0])
	return projectAt(j.Request, filepath.Dir(found[0]))
}
