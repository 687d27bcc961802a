package delve

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
)

// maxTestFiles bounds the search for a test in a large workspace.
const maxTestFiles = 5000

// elsewhere looks for the named test in the packages below the target, or in
// all modules of the workspace when there is no target. It is for a test that
// the target's own package does not have.
func (j job) elsewhere(c code) (code, testFunction, error) {
	first, rest, _ := strings.Cut(j.Test, "/")
	var at []code
	var found []testFunction
	var all []string
	files := 0
	for _, root := range j.testRoots(c.dir) {
		walkTests(root, func(file string) bool {
			files++
			for _, test := range testsIn(file) {
				dir := filepath.Dir(file)
				switch {
				case test.name != first:
					all = append(all, test.name)
				case !slices.ContainsFunc(at, func(c code) bool { return c.dir == dir }):
					at = append(at, code{args: []string{"."}, from: dir, dir: dir})
					found = append(found, test)
				}
			}
			return files < maxTestFiles
		})
	}
	if len(at) == 1 {
		return at[0], found[0], nil
	}
	missing := fault.NoTest("there is no test %s in %s, nor below it", first, prepare.Show(j.Request, c.dir))
	if j.Target == "" {
		missing.Message = "there is no test " + first + " in the workspace"
	}
	if len(at) > 1 {
		var dirs []string
		for _, c := range at {
			dirs = append(dirs, prepare.Show(j.Request, c.dir))
		}
		return c, testFunction{}, fault.New(fault.InvalidParam, "%d packages have a test %s", len(at), first).WithField("test").
			WithHint("say which with target: %s", strings.Join(dirs, ", ")).WithDetails(prepare.Candidates{Candidates: dirs})
	}
	if suites := suitesWith(c.dir, cmp.Or(rest, first)); len(suites) > 0 {
		return c, testFunction{}, missing.WithHint("it is a method of a suite: %s", strings.Join(suites, " or ")).
			WithDetails(prepare.Candidates{Candidates: suites})
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if like := source.Closest(first, all, 3); len(like) > 0 {
		return c, testFunction{}, prepare.Suggest(missing, like)
	}
	if len(all) == 0 {
		return c, testFunction{}, missing.WithHint("there are no tests at all; give the package's directory as target")
	}
	return c, testFunction{}, missing.WithHint("its tests are %s", strings.Join(all[:min(len(all), 20)], ", "))
}

// testRoots are the directories to search: that of the target, else all modules
// of the workspace.
func (j job) testRoots(dir string) []string {
	if j.Target != "" || j.Module != "" {
		return []string{dir}
	}
	work := workRoot(dir)
	if work == "" {
		return []string{dir}
	}
	roots := []string{dir}
	text, err := boundedfile.ReadText(filepath.Join(work, "go.work"))
	if err != nil {
		return roots
	}
	parsed, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return roots
	}
	for _, use := range parsed.Use {
		module := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(module) {
			module = filepath.Join(work, module)
		}
		if inside, err := filepath.Rel(dir, module); err != nil || strings.HasPrefix(inside, "..") { // else it is walked already
			roots = append(roots, module)
		}
	}
	return roots
}

// walkTests visits the test files below a directory that belong to packages,
// until visit says that it is enough.
func walkTests(root string, visit func(file string) bool) {
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		switch {
		case err != nil:
			return nil // what cannot be read holds no test that could be built
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
			slices.Contains([]string{"testdata", "vendor", "node_modules"}, name)):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, "_test.go") && !visit(path):
			return filepath.SkipAll
		}
		return nil
	})
}

// suitesWith names the tests that run a suite which has this method.
func suitesWith(dir, method string) []string {
	receivers := map[string]bool{}
	runs := map[string][]string{} // the types that a test names in suite.Run, by test
	for _, file := range testFilesIn(dir) {
		parsed := parse(file, parser.SkipObjectResolution)
		if parsed == nil {
			continue
		}
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			switch {
			case !ok || fn.Body == nil:
			case fn.Recv != nil && fn.Name.Name == method:
				receivers[receiverType(fn)] = true
			case fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test"):
				runs[fn.Name.Name] = suiteTypes(fn.Body)
			}
		}
	}
	var names []string
	for test, types := range runs {
		if slices.ContainsFunc(types, func(t string) bool { return receivers[t] }) {
			names = append(names, test+"/"+method)
		}
	}
	slices.Sort(names)
	return names
}

func testFilesIn(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is fine
	return files
}

func receiverType(fn *ast.FuncDecl) string {
	expr := fn.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if name, ok := expr.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// suiteTypes are the names that stand in the second argument of suite.Run(t, …).
func suiteTypes(body *ast.BlockStmt) []string {
	var types []string
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Run" {
			return true
		}
		ast.Inspect(call.Args[1], func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				types = append(types, name.Name)
			}
			return true
		})
		return true
	})
	return types
}

// subtestsLike are names of subtests near to the one that was asked for: the
// texts that stand in the test's function, where tables and t.Run name them.
func subtestsLike(dir, test string) []string {
	first, rest, sub := strings.Cut(test, "/")
	if !sub {
		return nil
	}
	var texts []string
	for _, file := range testFilesIn(dir) {
		parsed := parse(file, parser.SkipObjectResolution)
		if parsed == nil {
			continue
		}
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Name.Name != first || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil && text != "" {
						texts = append(texts, rewriteSubtest(text))
					}
				}
				return true
			})
		}
	}
	slices.Sort(texts)
	like := source.Closest(rewriteSubtest(rest), slices.Compact(texts), 3)
	for i := range like {
		like[i] = first + "/" + like[i]
	}
	return like
}
