package build

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
)

// framework is one of the frameworks that C++ tests are written with: how a
// program built with it is known, tells its tests, and runs one of them. What
// fails stops in the debugger where it fails.
type framework struct {
	name  string
	marks []string // one of these texts is in each of its programs
	list  []string // arguments with which a program lists its tests
	names func(listed string) []string
	// find is the filter for a test that the user named, empty when there is
	// none. Several are given back when the name is not one test's.
	find  func(test string, tests []string) (filter string, several []string)
	args  func(filter string) []string
	entry func(filter string) string // the function that the test is; main where it has no name of its own
}

// frameworks in the order in which they are looked for: a program may have in it
// what only looks like another's.
var frameworks = []framework{{
	name: "doctest", marks: []string{"dt-list-test-cases"},
	list:  []string{"--dt-list-test-cases", "--dt-no-skip=true", "--dt-no-colors=true"},
	names: readDoctests, find: plainFilter, args: doctestArgs, entry: mainFramework,
}, {
	name: "Catch2", marks: []string{"list-test-names-only"}, // version 2
	list:  []string{"--list-test-names-only", "[.],*"},
	names: readCatchTests, find: plainFilter, args: catchArgs("--use-colour", "no"), entry: mainFramework,
}, {
	name: "Catch2", marks: []string{"N5Catch"},
	list:  []string{"--list-tests", "--verbosity", "quiet", "[.],*"},
	names: readCatchTests, find: plainFilter, args: catchArgs("--colour-mode", "none"), entry: mainFramework,
}, {
	name: "GoogleTest", marks: []string{"gtest_list_tests", "_ZN7testing4Test"},
	list:  []string{"--gtest_list_tests", "--gtest_color=no"},
	names: readGoogleTests, find: googleFilter, args: googleArgs, entry: googleEntry,
}}

func mainFramework(string) string { return "main" }

// tell asks a program for its tests. One that is built with none of the
// frameworks is not started.
func (j *job) tell(ctx context.Context, p testProgram) testProgram {
	found := marksIn(p.program)
	for i := range frameworks {
		f := &frameworks[i]
		if !slices.ContainsFunc(f.marks, func(mark string) bool { return found[mark] }) {
			continue
		}
		if p.tests = j.listTests(ctx, p.program, f); len(p.tests) > 0 {
			p.framework = f
			return p
		}
	}
	return p
}

func (j *job) listTests(ctx context.Context, program string, f *framework) []string {
	ctx, cancel := context.WithTimeout(ctx, listLimit)
	defer cancel()
	out, _, failed, err := j.run(ctx, command{name: "listing tests", path: program, dir: filepath.Dir(program), args: f.list})
	if err != nil || failed && len(out) == 0 {
		return nil
	}
	return f.names(out)
}

// marksIn looks for the marks of all frameworks in a program, linked in or shared.
func marksIn(program string) map[string]bool {
	found := map[string]bool{}
	f, err := boundedfile.Open(program)
	if err != nil {
		return found
	}
	defer f.Close()
	const overlap = 32
	buffer := make([]byte, 1<<20)
	kept := 0
	for {
		n, err := f.Read(buffer[kept:])
		read := string(buffer[:kept+n])
		for _, framework := range frameworks {
			for _, mark := range framework.marks {
				if !found[mark] && strings.Contains(read, mark) {
					found[mark] = true
				}
			}
		}
		if err == io.EOF || err != nil {
			return found
		}
		end := kept + n
		kept = copy(buffer, buffer[max(end-overlap, 0):end])
	}
}
