package jsdebug

import (
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// job is a request understood: which mode it is, and what every mode needs.
type job struct {
	adapters.Request
	target  string   // absolute, physical; empty without one
	test    string   // the test's name, without a file
	env     []string // of the program, complete
	set     map[string]string
	options options
	node    node
	names   []string // of the tests that the source shows
	loads   bool     // the script of its tests brings what reads TypeScript
	quiet   bool     // the runner of its tests does not tell of them
	scratch string   // the directory of js-debug's files, and of ours
	port    int      // of the inspector that is attached to
}

// understand reads what all modes have in common and settles the mode.
func understand(r adapters.Request) (job, error) {
	j := job{Request: r, test: r.Test}
	if file, name, named := strings.Cut(r.Test, "::"); named && isScript(file) {
		j.test = name
		if j.Target == "" {
			j.Target = file
		}
	}
	if j.Target != "" {
		j.target = prepare.Physical(prepare.Locate(r, j.Target))
	}
	if j.Mode == "" {
		j.Mode = j.infer()
	}
	if j.Mode == adapters.Attach && j.PID == 0 && (j.Host != "" || j.Port != 0) {
		j.Mode = adapters.RemoteAttach
	}
	if err := prepare.CheckMode((*adapter)(nil).Info(), j.Mode); err != nil {
		return j, err
	}
	var err error
	if j.set, err = prepare.Variables(r); err != nil {
		return j, err
	}
	if j.env, err = prepare.Environment(r); err != nil {
		return j, err
	}
	if j.options, err = readOptions(r.Options); err != nil {
		return j, err
	}
	return j, attach.CheckMode(r, j.Mode)
}

// infer finds the mode from what was given, the plainest sign first.
func (j job) infer() adapters.Mode {
	switch {
	case j.PID != 0:
		return adapters.Attach
	case j.Host != "" || j.Port != 0:
		return adapters.RemoteAttach
	case j.Test != "" || isTestFile(j.target) || isOfRunner(j.target):
		return adapters.Test
	}
	return adapters.Launch
}

// isOfRunner says that a script is one of tests by what it imports, whatever its name is: a runner
// whose tests are programs.
func isOfRunner(path string) bool {
	if !isScript(path) {
		return false
	}
	names := imported.FindAllStringSubmatch(readText(path), -1)
	return slices.ContainsFunc(runners(), func(r runner) bool {
		return r.alone && !r.quiet && slices.ContainsFunc(names, func(m []string) bool { return m[1] == r.imports })
	})
}

// isTestFile knows test files by the names that all runners go by.
func isTestFile(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return isScript(path) && (strings.HasSuffix(name, ".test") || strings.HasSuffix(name, ".spec"))
}

// projectDir is the directory that the project is looked for from.
func (j job) projectDir() string {
	switch {
	case j.target == "":
		return j.Workspace
	case prepare.IsDir(j.target):
		return j.target
	}
	return filepath.Dir(j.target)
}

// program finds the file to run: the target, or what its package.json names.
func (j job) program() (string, error) {
	dir := j.target
	switch {
	case dir == "":
		dir = j.Workspace
	case !prepare.Exists(dir):
		return "", j.missingFile(dir)
	}
	if !prepare.IsDir(dir) {
		if !isScript(dir) && filepath.Ext(dir) != "" {
			return "", fault.New(fault.InvalidTarget, "%s is neither JavaScript nor TypeScript", prepare.Show(j.Request, dir)).
				WithField("target").WithHint("give a file that ends in .js, .mjs, .cjs, .ts, .mts, .cts, .jsx or .tsx")
		}
		return dir, nil
	}
	if found := entryOf(dir); found != "" {
		return found, nil
	}
	return "", fault.New(fault.InvalidTarget, "%s does not say which file to run", prepare.Show(j.Request, dir)).WithField("target").
		WithHint("give a file as target%s", j.candidates(dir))
}

// missingFile says that a file is not there, and which there are.
func (j job) missingFile(path string) error {
	f := prepare.Missing(j.Request, path)
	if f.Hint == "" {
		return f.WithHint("give an existing file as target%s", j.candidates(j.Workspace))
	}
	return f
}

// candidates names a few scripts of a directory.
func (j job) candidates(dir string) string {
	var found []string
	for _, name := range append(prepare.Names(dir), sub(dir, "src")...) {
		if isScript(name) && !strings.Contains(name, ".config.") && !strings.HasSuffix(name, ".d.ts") && len(found) < 8 {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return ", like " + strings.Join(found, ", ")
}

func sub(dir, name string) []string {
	names := prepare.Names(filepath.Join(dir, name))
	for i := range names {
		names[i] = filepath.Join(name, names[i])
	}
	return names
}

// entryOf is the file that a package runs: main, its only program, or what
// goes by a usual name. Empty when nothing of it is there.
func entryOf(dir string) string {
	m := readManifest(dir)
	names := []string{m.Main}
	if bins := m.Bins(); len(bins) == 1 {
		names = append(names, bins[0])
	}
	for _, base := range []string{"index", "main", "src/index", "src/main"} {
		for _, ext := range append(slices.Clone(scripts), typescript...) {
			names = append(names, base+ext)
		}
	}
	for _, name := range names {
		for _, ext := range []string{"", ".js"} {
			path := filepath.Join(dir, filepath.FromSlash(name)+ext)
			if name != "" && prepare.Exists(path) && !prepare.IsDir(path) {
				return prepare.Physical(path)
			}
		}
	}
	return ""
}
