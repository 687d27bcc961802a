package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/project/workspace"
)

// restore writes a file as one who unpacks or copies it does: it keeps an old time.
func (p *project) restore(name, text string) {
	p.t.Helper()
	old := time.Now().Add(-time.Hour)
	p.write(name, text)
	if err := os.Chtimes(filepath.Join(p.dir, name), old, old); err != nil {
		p.t.Fatal(err)
	}
}

const (
	digitMain = "#include <stdio.h>\n#include \"digit.h\"\nint main(void) { printf(\"%d\\n\", digit()); return 0; }\n"
	digitLib  = "#include \"digit.h\"\nint digit(void) { return DIGIT; }\n"
)

func digitHeader(value string) string { return "#define DIGIT " + value + "\nint digit(void);\n" }

// What is run is made of what stands in the files, whatever their times say.
func TestBuiltOfContents(t *testing.T) {
	for tool, c := range map[string]struct {
		needs, file, text string
		target            adapters.Request
	}{
		"cmake": {"cmake", "CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(digit C)\nadd_executable(digit main.c lib.c)\n", adapters.Request{Target: "."}},
		"meson": {"meson", "meson.build", "project('digit', 'c')\nexecutable('digit', 'main.c', 'lib.c')\n", adapters.Request{Target: "."}},
		// a header of which the rules say nothing, as in many makefiles
		"make":     {"make", "Makefile", "digit: main.o lib.o\n\t$(CC) $(CFLAGS) -o $@ main.o lib.o\n", adapters.Request{Target: "."}},
		"compiler": {"cc", "note.txt", "", adapters.Request{Target: "main.c", BuildArgs: []string{"-DONE"}}},
	} {
		t.Run(tool, func(t *testing.T) {
			if _, err := exec.LookPath(c.needs); err != nil {
				t.Skip(err)
			}
			p := newProject(t, "").write(c.file, c.text).write("main.c", digitMain).write("lib.c", digitLib).write("digit.h", digitHeader("9"))
			if tool == "compiler" {
				p.write("main.c", digitMain+"int digit(void) { return DIGIT; }\n")
			}
			wants(t, output(t, p.build(CPP, c.target)), "9\n")
			p.restore("digit.h", digitHeader("7"))
			wants(t, output(t, p.build(CPP, c.target)), "7\n")
			p.write("digit.h", digitHeader("5"))
			wants(t, output(t, p.build(CPP, c.target)), "5\n")
		})
	}
}

// A build that was not seen to its end may have left anything.
func TestContentsOfBrokenBuild(t *testing.T) {
	file := filepath.Join(t.TempDir(), "note.json")
	old := sourcesOf("a")
	noteBuild(file, old)
	c, known := builtOf(file)
	if !known || !c.misleads(sourcesOf("b")) || c.misleads(old) {
		t.Errorf("of a build that was begun: %+v", c)
	}
	noteBuild(file, old)(t.Context())
	if c, _ := builtOf(file); c.misleads(later(sourcesOf("b"))) || !c.misleads(sourcesOf("b")) {
		t.Errorf("of a build that has ended: %+v", c)
	}
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, known := builtOf(file); known {
		t.Error("a note that cannot be read is one")
	}
}

// sourcesOf is a source with a text, written a while ago.
func sourcesOf(text string) map[string]workspace.SourceFile {
	return map[string]workspace.SourceFile{"a.c": {Sum: text, Time: time.Now().Add(-time.Minute)}}
}

// later are the same, written in a while.
func later(files map[string]workspace.SourceFile) map[string]workspace.SourceFile {
	f := files["a.c"]
	return map[string]workspace.SourceFile{"a.c": {Sum: f.Sum, Time: time.Now().Add(time.Minute)}}
}

// In a trial a tree of the user's outside of the workspace is not built in.
func TestTreesWithin(t *testing.T) {
	p := newProject(t, "")
	outside := filepath.Join(filepath.Dir(p.dir), "build")
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	for within, want := range map[string]bool{"": true, p.dir: false} {
		j := &job{o: Options{Within: within}}
		if found := slices.Contains(j.buildDirectories(p.dir), filepath.Join(p.dir, "../build")); found != want {
			t.Errorf("within %q: %v", within, j.buildDirectories(p.dir))
		}
	}
}
