package delve

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/pattern"
)

// testArgs are the arguments of a test binary that run the named test alone,
// or all when there is no name, before the user's own.
func (j job) testArgs() []string {
	args := []string{"-test.v", "-test.count=1"}
	if j.Test != "" {
		flag := "-test.run="
		if strings.HasPrefix(j.Test, "Benchmark") {
			args = append(args, "-test.run=^$")
			flag = "-test.bench="
		}
		args = append(args, flag+testPattern(j.Test))
	}
	for _, arg := range j.Args {
		args = append(args, testFlag(arg))
	}
	return args
}

// testPattern turns a test's name into the pattern that matches it alone, one
// expression for each level. What is no name is a pattern already.
func testPattern(name string) string {
	levels := strings.Split(name, "/")
	if !token.IsIdentifier(levels[0]) {
		return name
	}
	for i, level := range levels {
		levels[i] = "^" + regexp.QuoteMeta(rewriteSubtest(level)) + "$"
	}
	return strings.Join(levels, "/")
}

// rewriteSubtest changes a subtest's name as package testing does: spaces to
// underscores, what cannot be printed to escapes.
func rewriteSubtest(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// goTestFlag matches those flags of go test that a test binary knows by another name.
var goTestFlag = pattern.New(`^--?(bench|benchmem|benchtime|blockprofile|count|coverprofile|cpu|cpuprofile|failfast|fullpath|` +
	`fuzz|fuzztime|list|memprofile|mutexprofile|outputdir|parallel|run|short|shuffle|skip|timeout|trace|v)(=.*)?$`)

// testFlag writes a flag of go test as the test binary knows it: -short is -test.short.
func testFlag(arg string) string {
	if goTestFlag.MatchString(arg) {
		return "-test." + strings.TrimLeft(arg, "-")
	}
	return arg
}

// testFunction is a test found in the source.
type testFunction struct{ name, pkg string }

// needTest finds the named test, in another package when the target's has none
// of that name. Files that cannot be parsed are the go command's to complain about.
func (j job) needTest(c code) (code, testFunction, error) {
	first, _, _ := strings.Cut(j.Test, "/")
	pattern := !token.IsIdentifier(first)
	pkg, problem := j.files(c.dir)
	if problem != nil && !isNoGo(problem) && (pkg == nil || len(pkg.TestGoFiles)+len(pkg.XTestGoFiles) == 0) {
		return c, testFunction{}, nil
	}
	var files []string
	if pkg != nil {
		files = append(pkg.TestGoFiles, pkg.XTestGoFiles...)
	}
	for _, file := range files {
		for _, test := range testsIn(filepath.Join(c.dir, file)) {
			if test.name == first {
				return c, test, nil
			}
		}
	}
	switch {
	case !pattern:
		return j.elsewhere(c)
	case len(files) == 0:
		return c, testFunction{}, j.suggestPrograms(fault.New(fault.InvalidTarget, "%s has no test files", prepare.Show(j.Request, c.dir)).
			WithField("target"))
	}
	return c, testFunction{}, nil
}

func isNoGo(err error) bool {
	_, none := errors.AsType[*build.NoGoError](err)
	return none
}

// testsIn lists the functions of a file that go test may run.
func testsIn(file string) []testFunction {
	parsed := parse(file, parser.SkipObjectResolution)
	if parsed == nil {
		return nil
	}
	var list []testFunction
	for _, decl := range parsed.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil {
			continue
		}
		for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
			if strings.HasPrefix(fn.Name.Name, prefix) && fn.Name.Name != "TestMain" {
				list = append(list, testFunction{fn.Name.Name, parsed.Name.Name})
			}
		}
	}
	return list
}
