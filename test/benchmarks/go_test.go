//go:build linux

package benchmarks

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// goModule is a module without dependencies.
type goModule struct {
	Name, Path, Package string
	Pin                 registry.Pin
	File                string   // that gets the faults
	Where               string   // as of a subject
	Keep                int      // with its own tests
	Calls               []string // of the package's own functions
	Checks              int      // with checks of them
	Unordered           bool     // its tests go through maps: which case fails first is another each time
}

func goPin(path, version, sum string) registry.Pin {
	return registry.Pin{From: registry.Go, Name: path + "@" + version, Sum: sum}
}

var goModules = []goModule{
	{
		Name: "xstrings", Path: "github.com/huandu/xstrings", Package: "xstrings", File: "convert.go", Keep: 5, Checks: 5, Unordered: true,
		Pin:   goPin("github.com/huandu/xstrings", "v1.5.0", "h1:2ag3IFq9ZDANvthTwTiqSSZLjDc+BedvHPAp5tJy2TI="),
		Calls: []string{`ToSnakeCase("FirstName")`, `ToSnakeCase("HTTP20xServer")`, `ToKebabCase("first_name")`, `ToCamelCase("go_path")`, `SwapCase("aBc")`, `FirstRuneToUpper("ab")`, `Successor("az")`, `Successor("zz9")`},
	},
	{
		Name: "humanize", Path: "github.com/dustin/go-humanize", Package: "humanize", File: "comma.go", Keep: 3, Checks: 3,
		Pin:   goPin("github.com/dustin/go-humanize", "v1.0.1", "h1:GzkhY7T5VNhEkwH0PVJgjz+fX1rhBrR7pRT3mDkpeCY="),
		Calls: []string{`Comma(0)`, `Comma(1234567)`, `Comma(-100000)`, `Commaf(834142.32)`},
	},
	{
		Name: "ordinals", Path: "github.com/dustin/go-humanize", Package: "humanize", File: "ordinals.go", Keep: 2, Checks: 2,
		Pin:   goPin("github.com/dustin/go-humanize", "v1.0.1", "h1:GzkhY7T5VNhEkwH0PVJgjz+fX1rhBrR7pRT3mDkpeCY="),
		Calls: []string{`Ordinal(1)`, `Ordinal(12)`, `Ordinal(23)`, `Ordinal(111)`},
	},
	{
		Name: "wordwrap", Path: "github.com/mitchellh/go-wordwrap", Package: "wordwrap", File: "wordwrap.go", Keep: 3, Checks: 3,
		Pin:   goPin("github.com/mitchellh/go-wordwrap", "v1.0.1", "h1:TLuKupo69TCn6TQSyGxwI1EblZZEsQ0vMlAFQflz0v0="),
		Calls: []string{`WrapString("foo bar baz", 5)`, `WrapString("a longword here", 4)`, `WrapString("x  y", 2)`},
	},
	{
		Name: "shellquote", Path: "github.com/kballard/go-shellquote", Package: "shellquote", File: "unquote.go", Keep: 4,
		Pin: goPin("github.com/kballard/go-shellquote", "v0.0.0-20180428030007-95032a82bc51", "h1:Z9n2FFNUXsshfwJMBgNA0RU6/i7WVaAegv3PtuIHPMs="),
	},
	{
		Name: "strcase", Path: "github.com/iancoleman/strcase", Package: "strcase", File: "snake.go", Keep: 2, Checks: 3,
		Pin:   goPin("github.com/iancoleman/strcase", "v0.3.0", "h1:nTXanmYxhfFAMjZL34Ov6gkzEsSJZ5DbhxWjvSASxEI="),
		Calls: []string{`ToSnake("testCase")`, `ToSnake("JSONData")`, `ToKebab("userID")`, `ToDelimited("a b2c", '.')`},
	},
}

// goTests are modules with a fault that their own tests find.
var goTests = set{
	Name: "go-tests", By: []string{"go_test.go"}, Language: "Go", Title: "five modules with their own tests, with planted faults",
	Make: func(m *maker) []program {
		var programs []program
		for _, module := range goModules {
			if programs = append(programs, m.tested(module)...); len(programs) >= m.limit {
				return programs[:m.limit]
			}
		}
		return programs
	},
}

// sources are the files of the module's package.
func (m *maker) sources(module goModule, tests bool) map[string]string {
	m.t.Helper()
	found, err := filepath.Glob(filepath.Join(m.fetch(module.Pin), "*.go"))
	if err != nil {
		m.t.Fatal(err)
	}
	files := map[string]string{"go.mod": "module " + module.Path + "\n\ngo 1.21\n"}
	for _, file := range found {
		name := filepath.Base(file)
		if tests || !strings.HasSuffix(name, "_test.go") {
			files[name] = m.read(module.Pin, name)
		}
	}
	return files
}

var (
	goFailed = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
	goPlace  = regexp.MustCompile(`(?m)^    (\w+\.go:\d+): (.*)$`)
	goPanic  = regexp.MustCompile(`(?m)^panic: (.*?)(?: \[recovered.*)?$`)
	goFrame  = regexp.MustCompile(`(?m)^\t(\w[\w/.-]*\.go:\d+) \+0x`)
)

// tested are programs of a module that fail by its own tests.
func (m *maker) tested(module goModule) []program {
	m.t.Helper()
	files := m.sources(module, true)
	run := []string{"go", "test", "-count=1", "-timeout=20s", "."}
	if out, code, _ := m.runIn(files, run...); code != 0 {
		m.t.Fatalf("the tests of %s\n%s", module.Name, out)
	}
	keep := min(module.Keep, m.limit)
	var programs []program
	for i, mutant := range mutants(files[module.File], nil) {
		if len(programs) == keep || i > 5*keep {
			break
		}
		changed := map[string]string{}
		maps.Copy(changed, files)
		changed[module.File] = mutant.Source
		out, code, ended := m.runIn(changed, run...)
		test, failed := goFailed.FindStringSubmatch(out), code == 1 && ended
		if !failed || test == nil || strings.Contains(out, "    --- FAIL") || strings.Contains(out, "test timed out") {
			continue
		}
		t, known := goSays(out)
		again, _, _ := m.runIn(changed, run...)
		if other, _ := goSays(again); !known || !slices.Equal(other.Places, t.Places) {
			continue
		} else if other.Message != t.Message || module.Unordered {
			t.Message = ""
		}
		programs = append(programs, program{
			Name: fmt.Sprintf("%s_%d", module.Name, len(programs)), Fault: fmt.Sprintf("%s, line %d of %s", mutant.Operator, mutant.Line, module.File),
			Files: changed, Question: testkit.A{"target": ".", "test": test[1]}, True: t,
		})
	}
	return programs
}

// goSays is the truth of the first failure that go test prints.
func goSays(out string) (truth, bool) {
	_, out, _ = strings.Cut(out, "--- FAIL: ")
	if at := goPanic.FindStringSubmatch(out); at != nil {
		where := goFrame.FindStringSubmatch(out)
		if where == nil {
			return truth{}, false
		}
		return truth{Verdicts: []string{"panic"}, Places: []string{where[1]}, Message: at[1]}, true
	}
	at := goPlace.FindStringSubmatch(out)
	if at == nil {
		return truth{}, false
	}
	return truth{Verdicts: []string{"test_failure"}, Places: []string{at[1]}, Message: at[2]}, true
}

// goChecks are modules whose functions are checked.
var goChecks = set{
	Name: "go-checks", By: []string{"go_test.go"}, Language: "Go", Title: "four modules with checks, with planted faults",
	Make: func(m *maker) []program {
		var subjects []subject
		for _, module := range goModules {
			if module.Checks == 0 {
				continue
			}
			s := subject{Name: module.Name, Pin: module.Pin, Files: []string{module.File}, Calls: module.Calls, Where: module.Where, Keep: module.Checks}
			names := []string{}
			for name := range m.sources(module, false) {
				if name != module.File && name != "go.mod" {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			s.Files = append(s.Files, names...)
			subjects = append(subjects, s)
		}
		return m.check(inGo, subjects...)
	},
}

var inGo = language{
	Probe: probeGo,
	Run:   []string{"go", "test", "-count=1", "-timeout=10s", "-run=TestProbe", "-v", "."},
	Raised: func(out string) (raised, message, place string) {
		t, _ := goSays(out)
		if len(t.Places) == 0 || t.Verdicts[0] != "panic" {
			return "", "", ""
		}
		return "", t.Message, t.Places[0]
	},
	Forms: []form{
		{Name: "errorf", Check: checkGo("if got != WANT {", "t.Errorf(\"got %v, want %v\", got, WANT)"), Verdict: "test_failure", Threw: "panic"},
		{Name: "fatal", Check: checkGo("if got != WANT {", "t.Fatal(\"wrong answer\")"), Verdict: "test_failure", Message: "wrong answer", Threw: "panic"},
		{Name: "panic", Check: checkGo("if got != WANT {", "panic(\"wrong answer\")"), Verdict: "panic", Message: "wrong answer", Threw: "panic"},
	},
}

func moduleOf(s subject) goModule {
	return goModules[slices.IndexFunc(goModules, func(m goModule) bool { return m.Name == s.Name })]
}

func layGo(s subject, sources []string) map[string]string {
	files := map[string]string{"go.mod": "module " + moduleOf(s).Path + "\n\ngo 1.21\n"}
	for i, name := range s.Files {
		files[name] = sources[i]
	}
	return files
}

func probeGo(s subject, sources []string) map[string]string {
	files := layGo(s, sources)
	all := []string{"package " + moduleOf(s).Package, "", "import (", "\t\"fmt\"", "\t\"testing\"", ")", "", "func TestProbe(t *testing.T) {", "\tfmt.Println(\"" + started + "\")"}
	for _, call := range s.Calls {
		all = append(all, "\tfmt.Printf(\"=> %#v\\n\", "+call+")")
	}
	files["probe_test.go"], _ = lines(append(all, "}")...)
	return files
}

func checkGo(condition, fails string) func(s subject, sources, calls, wants []string) checked {
	return func(s subject, sources, calls, wants []string) checked {
		all := []string{"package " + moduleOf(s).Package, "", "import \"testing\"", "", "func TestCheck(t *testing.T) {"}
		for i, call := range calls {
			all = append(all, "\t{", "\t\tgot := "+call, "\t\t"+filled(condition, call, wants[i]), "@\t\t\t"+filled(fails, call, wants[i]), "\t\t}", "\t}")
		}
		text, at := lines(append(all, "}")...)
		files := layGo(s, sources)
		files["check_test.go"] = text
		return checked{Files: files, Question: map[string]any{"target": ".", "test": "TestCheck"}, Place: fmt.Sprintf("check_test.go:%d", at), Left: "got", Right: wants[len(calls)-1]}
	}
}
