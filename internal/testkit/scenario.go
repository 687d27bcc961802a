package testkit

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the replies of the scenarios anew")

// Updating says that files which hold what is expected are to be written anew.
func Updating() bool { return *update }

// callsFile is the section of the archive that holds the calls.
const callsFile = "calls"

// RunScenarios runs every *.txtar below dir as a parallel subtest.
func RunScenarios(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios in %s: %v", dir, err)
	}
	var sizes sizes
	t.Cleanup(func() { sizes.check(t) })
	for _, file := range files {
		name := strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(file, dir)), ".txtar")
		t.Run(strings.Trim(name, "/"), func(t *testing.T) {
			t.Parallel()
			runScenario(t, file, &sizes)
		})
	}
}

// call is one step of a scenario.
type call struct {
	before string // comment and empty lines before it, kept as they are
	source string // its "> …" lines
	golden string
}

func runScenario(t *testing.T, file string, sizes *sizes) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	set := readSettings(t, archive)
	program := scenarioProgram(t, archive, set.use)
	if set.built {
		program.Build(".")
	}
	server := Start(t, Options{Dir: program.Dir, Args: set.args, Limits: true})
	calls, tail := parseCalls(t, archive)
	for i, c := range calls {
		tool, args := c.request(t, program)
		reply := server.Call(tool, args)
		sizes.add(reply.record(tool))
		got := normalise(reply.Text, server, set.unstable)
		if *update {
			calls[i].golden = got + "\n"
		} else if diff := cmp.Diff(strings.Split(strings.TrimSpace(c.golden), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s(- want, + got):\n%s", c.source, diff)
		}
	}
	if *update {
		writeCalls(t, file, archive, calls, tail)
	}
}

// sizes are the bytes of replies as text and as JSON.
type sizes struct {
	mu         sync.Mutex
	all, stops size
}

type size struct{ text, json int }

func (s *size) add(r Recorded) { s.text, s.json = s.text+len(r.Text), s.json+len(r.JSON) }

func (s *sizes) add(r Recorded) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all.add(r)
	if r.Stop {
		s.stops.add(r)
	}
}

// check fails the test unless text saves a quarter, and of stops three tenths. Of
// tokens, which test/tokens counts, it saves more than of bytes.
func (s *sizes) check(t *testing.T) {
	t.Logf("text takes %d bytes where JSON takes %d; of stops %d and %d", s.all.text, s.all.json, s.stops.text, s.stops.json)
	if s.all.text*100 > s.all.json*75 || s.stops.text*100 > s.stops.json*70 {
		t.Error("text saves too little")
	}
}

// settings are the directives among the words of a scenario.
type settings struct {
	use      string
	args     []string
	built    bool
	unstable []*regexp.Regexp
}

func readSettings(t *testing.T, archive *txtar.Archive) (set settings) {
	for line := range strings.Lines(string(archive.Comment)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "use":
			set.use = rest
		case "args":
			set.args = strings.Fields(rest)
		case "built":
			set.built = true
		case "unstable":
			pattern, err := regexp.Compile(rest)
			if err != nil {
				t.Fatal(err)
			}
			set.unstable = append(set.unstable, pattern)
		}
	}
	return set
}

// scenarioProgram lays out the program that is used, then the files of the archive.
func scenarioProgram(t *testing.T, archive *txtar.Archive, use string) *Program {
	p := NewProgram(t, use)
	for _, f := range archive.Files {
		if f.Name != callsFile {
			p.Write(f.Name, string(f.Data))
		}
	}
	return p
}

// parseCalls reads the calls section; tail is what follows the last reply.
func parseCalls(t *testing.T, archive *txtar.Archive) (calls []call, tail string) {
	text := ""
	for _, f := range archive.Files {
		if f.Name == callsFile {
			text = string(f.Data)
		}
	}
	before := ""
	for line := range strings.Lines(text) {
		switch last := len(calls) - 1; {
		case strings.HasPrefix(line, ">  ") && last >= 0 && before == "":
			calls[last].source += line
		case strings.HasPrefix(line, "> "):
			calls = append(calls, call{before: before, source: line})
			before = ""
		case strings.HasPrefix(line, "#"), strings.TrimSpace(line) == "":
			before += line
		case last < 0:
			t.Fatalf("a reply before the first call: %q", line)
		default:
			calls[last].golden += before + line
			before = ""
		}
	}
	if len(calls) == 0 {
		t.Fatal("no calls")
	}
	return calls, before
}

var markReference = regexp.MustCompile(`@([a-z][a-z0-9-]*)`)

// request is the tool and its arguments, with line numbers for the marks.
func (c call) request(t *testing.T, p *Program) (tool string, args json.RawMessage) {
	t.Helper()
	text := strings.ReplaceAll(c.source, "\n>", "\n")
	text = strings.TrimPrefix(text, ">")
	text = markReference.ReplaceAllStringFunc(text, func(ref string) string {
		return strconv.Itoa(p.Line(ref[1:]))
	})
	text = strings.ReplaceAll(text, "$WORK", p.Dir)
	tool, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if rest = strings.TrimSpace(rest); rest == "" {
		rest = "{}"
	}
	if !json.Valid([]byte(rest)) {
		t.Fatalf("the arguments are not JSON: %s", rest)
	}
	return tool, json.RawMessage(rest)
}

func writeCalls(t *testing.T, file string, archive *txtar.Archive, calls []call, tail string) {
	var text strings.Builder
	for _, c := range calls {
		text.WriteString(c.before + c.source + c.golden)
	}
	text.WriteString(tail)
	for i := range archive.Files {
		if archive.Files[i].Name == callsFile {
			archive.Files[i].Data = []byte(text.String())
		}
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
