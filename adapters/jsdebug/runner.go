package jsdebug

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// runner is a test runner: how it is recognised and how it is told to run some
// tests in one process, without a limit of time that a stop would break.
type runner struct {
	name    string
	imports string   // that a test file has which is written for it
	configs []string // files of its own in a project's root
	run     func(j job, root string, files []string) (testRun, error)
	// quiet: its tests import it, and it does not tell of them; what fails one does
	// not stop the program.
	quiet bool
	alone bool // its tests are programs: node runs their file
}

// testRun is what node runs for a test.
type testRun struct {
	way  way
	args []string
	// wraps: the first line of a file stands in a function that the runner has put
	// round it. js-debug takes the beginning of the line for that of its code, which
	// has run when the source map is read, unless node waits for that.
	wraps bool
	env   map[string]string
}

// runners are those that we know, the surest sign first.
func runners() []runner {
	return []runner{
		{name: "vitest", imports: "vitest", run: runVitest, configs: []string{"vitest.config.ts", "vitest.config.js", "vitest.config.mts", "vitest.config.mjs"}},
		{name: "jest", imports: "@jest/globals", run: runJest, configs: []string{"jest.config.js", "jest.config.ts", "jest.config.mjs", "jest.config.cjs", "jest.config.json"}},
		{name: "mocha", imports: "mocha", run: runMocha, configs: []string{".mocharc.js", ".mocharc.cjs", ".mocharc.json", ".mocharc.yml", ".mocharc.yaml", ".mocharc.jsonc"}},
		{name: "node:test", imports: "node:test", run: runNodeTest, alone: true},
		{name: "ava", imports: "ava", run: runAva, quiet: true, configs: []string{"ava.config.js", "ava.config.mjs", "ava.config.cjs"}},
		{name: "tape", imports: "tape", run: runWhole("tape"), alone: true},
		{name: "uvu", imports: "uvu", run: runWhole("uvu"), quiet: true, alone: true},
	}
}

// theRunners names them, for people.
const theRunners = "vitest, jest, mocha, node:test, ava, tape and uvu"

var imported = pattern.New(`(?:from\s*|require\s*\(\s*|import\s*\(?\s*)["']([^"'\n]+)["']`)

// runner finds the runner of tests: what the user says, what the files import,
// what the project has a configuration of, what its package.json names.
func (j job) runner(files []string) (runner, error) {
	list := runners()
	if want := strings.TrimPrefix(strings.ToLower(j.options.Runner), "node:"); want != "" {
		for _, r := range list {
			if strings.TrimPrefix(r.name, "node:") == want || r.name == "node:test" && want == "node" {
				return r, nil
			}
		}
		return runner{}, fault.New(fault.InvalidParam, "there is no test runner %q", j.options.Runner).WithField("adapter_options").
			WithHint("the runners are %s", theRunners)
	}
	for _, m := range imported.FindAllStringSubmatch(readText(files[0]), -1) {
		for _, r := range list {
			if m[1] == r.imports {
				return r, nil
			}
		}
	}
	for _, p := range projectsOf(filepath.Dir(files[0])) {
		for _, r := range list {
			if p.configures(r) {
				return r, nil
			}
		}
		for _, sign := range []func(runner) bool{p.names, p.wantsRunner} {
			for _, r := range list {
				if !r.quiet && sign(r) {
					return r, nil
				}
			}
		}
	}
	for _, r := range list {
		if !r.quiet && installedPackage(filepath.Dir(files[0]), r.name) != "" {
			return r, nil
		}
	}
	return runner{}, fault.New(fault.InvalidTarget, "the test runner of %s could not be found", prepare.Show(j.Request, files[0])).WithField("target").
		WithHint(`name it with adapter_options {"runner":"vitest"}; there are %s`, theRunners)
}

// projectsOf are the package of a directory, and that of the workspaces which it is one of.
func projectsOf(dir string) []project {
	list := []project{projectOf(dir)}
	if root := monorepo(list[0].dir); root != "" {
		list = append(list, project{dir: root, manifest: readManifest(root)})
	}
	return list
}

// configures says that a package has a configuration of the runner.
func (p project) configures(r runner) bool {
	return r.name == "jest" && p.manifest.Jest != nil || slices.ContainsFunc(r.configs, func(config string) bool {
		return p.dir != "" && prepare.Exists(filepath.Join(p.dir, config))
	})
}

// names says that a package's tests are run with the runner.
func (p project) names(r runner) bool {
	script := p.manifest.Scripts["test"]
	return script != "" && strings.Contains(script, r.word())
}

// wantsRunner says that a package asks for the runner.
func (p project) wantsRunner(r runner) bool { return p.manifest.Wants(r.name) }

// word is what a script has that runs the runner.
func (r runner) word() string {
	if r.name == "node:test" {
		return "--test"
	}
	return r.name
}

// rootOf is where the runner is run: in the package that configures it or runs its
// tests with it, which of a monorepo may be the root.
func (j job) rootOf(r runner, dir string) string {
	list := projectsOf(dir)
	for _, p := range list {
		if p.configures(r) || p.names(r) {
			return p.dir
		}
	}
	return list[0].dir
}

// bin is the program of an installed package.
func (j job) bin(root, name string) (string, error) {
	home := installedPackage(root, name)
	if home == "" {
		return "", fault.New(fault.InvalidTarget, "%s, the test runner of this project, is not installed in %s", name, prepare.Show(j.Request, root)).
			WithField("target").WithHint("run %s in %s (or npm install --save-dev %s)", installCommand(root), prepare.Show(j.Request, root), name)
	}
	if path := readManifest(home).binNamed(name); path != "" {
		return filepath.Join(home, filepath.FromSlash(path)), nil
	}
	return "", fault.New(fault.InvalidTarget, "the package %s in %s has no program", name, prepare.Show(j.Request, home)).WithField("target").
		WithHint("install it again: npm install")
}

const noLimit = "86400000" // milliseconds: a day

func runJest(j job, root string, files []string) (testRun, error) {
	bin, err := j.bin(root, "jest")
	args := []string{"--runInBand", "--testTimeout=" + noLimit}
	if j.test != "" {
		args = append(args, "--testNamePattern", j.pattern(files))
	}
	if j.isNarrowed() {
		args = append(append(args, "--runTestsByPath"), files...)
	}
	return testRun{way: way{program: bin}, args: args, wraps: true}, err
}

func runVitest(j job, root string, files []string) (testRun, error) {
	bin, err := j.bin(root, "vitest")
	args := []string{"run", "--pool=forks", "--no-file-parallelism", "--test-timeout=0", "--hook-timeout=0"}
	if j.test != "" {
		args = append(args, "--testNamePattern", j.pattern(files))
	}
	if j.isNarrowed() {
		args = append(args, relative(root, files)...)
	}
	run := testRun{way: way{program: bin}, args: args}
	if home := installedPackage(root, "vitest"); home != "" && !hasOwnRunner(root) && j.scratch != "" {
		run.way.program = filepath.Join(j.scratch, filepath.FromSlash(startName))
		run.env = map[string]string{
			"AIDB_TESTS":  filepath.Join(j.scratch, testHookName),
			"AIDB_VITEST": (&url.URL{Scheme: "file", Path: filepath.ToSlash(home) + "/"}).String(),
		}
	}
	return run, err
}

// hasOwnRunner says that a project's configuration of vitest has a runner.
func hasOwnRunner(root string) bool {
	for _, name := range prepare.Names(root) {
		if (strings.HasPrefix(name, "vitest.config.") || strings.HasPrefix(name, "vite.config.")) && settingRunner.MatchString(readText(filepath.Join(root, name))) {
			return true
		}
	}
	return false
}

var settingRunner = pattern.New(`\brunner\s*:`)

func runMocha(j job, root string, files []string) (testRun, error) {
	bin, err := j.bin(root, "mocha")
	if err != nil {
		return testRun{}, err
	}
	w := way{}
	if isTypeScript(files[0]) {
		if w, err = j.wayOf(files[0]); err != nil {
			return testRun{}, err
		}
	}
	w.program = bin
	args := []string{"--no-parallel", "--timeout", "0"}
	if j.test != "" {
		args = append(args, "--grep", j.pattern(files))
	}
	return testRun{way: w, args: append(args, files...)}, nil
}

// isNarrowed says that the runner is to be told the files: all of them need no naming.
func (j job) isNarrowed() bool {
	return j.test != "" || j.target != "" && !prepare.IsDir(j.target)
}

func relative(root string, files []string) []string {
	list := make([]string, len(files))
	for i, file := range files {
		list[i] = file
		if rel, err := filepath.Rel(root, file); err == nil {
			list[i] = filepath.ToSlash(rel)
		}
	}
	return list
}

// findTests lists the test files below a directory, bounded.
func findTests(dir string) (files []string) {
	walkScripts(dir, func(path string) bool {
		parent := filepath.Base(filepath.Dir(path))
		if isTestFile(path) || parent == "test" || parent == "tests" || parent == "__tests__" {
			files = append(files, path)
		}
		return len(files) < 500
	})
	return files
}

func readText(file string) string {
	text, err := boundedfile.ReadText(file)
	if err != nil {
		return ""
	}
	return string(text)
}
