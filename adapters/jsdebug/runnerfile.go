package jsdebug

import (
	"strings"

	"aidb-mcp/internal/fault"
)

// Runners whose tests are programs: node runs the file.

// runNodeTest runs one file itself: node --test would start it in a process of
// its own.
func runNodeTest(j job, _ string, files []string) (testRun, error) {
	w, err := j.onlyFile("node:test", files)
	if err == nil && j.test != "" {
		if i := strings.LastIndex(j.test, " > "); i >= 0 {
			j.test = j.test[i+3:]
		}
		w.runtimeArgs = append(w.runtimeArgs, "--test-name-pattern", j.pattern(files))
	}
	return testRun{way: w}, err
}

// runWhole runs the file of a runner that cannot choose among its tests.
func runWhole(name string) func(job, string, []string) (testRun, error) {
	return func(j job, root string, files []string) (testRun, error) {
		if _, err := j.bin(root, name); err != nil {
			return testRun{}, err
		}
		if j.test != "" {
			return testRun{}, fault.New(fault.InvalidParam, "%s runs all tests of a file, not one by its name", name).WithField("test").
				WithHint(`give the file as target with mode "test", and a breakpoint in the test: %s`, strings.Join(relative(j.Workspace, files[:1]), ""))
		}
		w, err := j.onlyFile(name, files)
		return testRun{way: w}, err
	}
}

// onlyFile is how the only file of tests is run.
func (j job) onlyFile(runner string, files []string) (way, error) {
	if len(files) > 1 {
		return way{}, fault.New(fault.InvalidTarget, "%d files have tests of %s, and one at a time can be debugged", len(files), runner).
			WithField("target").WithHint("give one of them as target: %s", strings.Join(relative(j.Workspace, files[:min(len(files), 8)]), ", "))
	}
	return j.wayOf(files[0])
}

// runAva has one file at a time loaded into a process that is followed.
func runAva(j job, root string, files []string) (testRun, error) {
	bin, err := j.bin(root, "ava")
	args := []string{"--serial", "--concurrency=1", "--timeout=24h", "--no-worker-threads"}
	if j.test != "" {
		args = append(args, "--match", templateHole.ReplaceAllString(j.test, "*"))
	}
	if j.isNarrowed() {
		args = append(args, relative(root, files)...)
	}
	return testRun{way: way{program: bin}, args: args}, err
}
