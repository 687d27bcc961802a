package testkit

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Program is a program to debug, in a directory of its own.
type Program struct {
	Dir   string         // absolute, without symlinks
	Marks map[string]int // line numbers by mark

	t testing.TB
}

// markComment finds a mark behind the sign of a comment of any language.
var markComment = regexp.MustCompile(`(?://|#|--)\s?@mark ([a-z0-9-]+)`)

// built are the directories that hold what a build made of the sources: the
// copies in them have no marks.
var built = []string{"build", "dist", "node_modules", "out", "target", "__pycache__"}

// NewProgram copies testdata/go/name; an empty name gives an empty directory.
func NewProgram(t testing.TB, name string) *Program {
	t.Helper()
	if name == "" {
		return copyProgram(t, "", "work")
	}
	return copyProgramTo(t, usualDir(t, name), "go/"+name, "work")
}

// NewProgramIn is NewProgram in a directory of this name.
func NewProgramIn(t testing.TB, name, base string) *Program {
	t.Helper()
	if name != "" {
		name = "go/" + name
	}
	return copyProgram(t, name, base)
}

// NewProgramOf copies testdata/language/name.
func NewProgramOf(t testing.TB, language, name string) *Program {
	t.Helper()
	return copyProgram(t, language+"/"+name, "work")
}

// NewProgramBelow copies testdata/language/name into a new directory below another, for
// programs that outlive the test.
func NewProgramBelow(t testing.TB, parent, language, name string) *Program {
	t.Helper()
	return copyProgramTo(t, parent, language+"/"+name, language+"-"+name)
}

// copyProgram copies a folder of testdata into a new directory named base.
func copyProgram(t testing.TB, name, base string) *Program {
	t.Helper()
	return copyProgramTo(t, t.TempDir(), name, base)
}

func copyProgramTo(t testing.TB, parent, name, base string) *Program {
	t.Helper()
	dir, err := filepath.EvalSymlinks(parent)
	if err != nil {
		t.Fatal(err)
	}
	p := &Program{Dir: filepath.Join(dir, base), Marks: map[string]int{}, t: t}
	if name == "" {
		err = os.Mkdir(p.Dir, 0o755)
	} else {
		err = os.CopyFS(p.Dir, os.DirFS(filepath.Join(Root(), "testdata", filepath.FromSlash(name))))
	}
	if err != nil {
		t.Fatalf("copying program %q: %v", name, err)
	}
	p.mark()
	return p
}

// For is the program as another test uses it.
func (p *Program) For(t testing.TB) *Program {
	return &Program{Dir: p.Dir, Marks: maps.Clone(p.Marks), t: t}
}

// Write adds or replaces a file and reads the marks anew.
func (p *Program) Write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.mark()
}

// Edit replaces old by new in a file, and reads the marks anew.
func (p *Program) Edit(name, old, new string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.Dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		p.t.Fatalf("%s does not contain %q", name, old)
	}
	p.Write(name, strings.Replace(string(text), old, new, 1))
}

// Line is the number of the marked line.
func (p *Program) Line(mark string) int {
	p.t.Helper()
	n, ok := p.Marks[mark]
	if !ok {
		p.t.Fatalf("no line is marked %q in %s", mark, p.Dir)
	}
	return n
}

// At is "file:line" of the marked line.
func (p *Program) At(file, mark string) string {
	p.t.Helper()
	return file + ":" + strconv.Itoa(p.Line(mark))
}

// Build compiles a package of the program for debugging and returns the binary.
func (p *Program) Build(pkg string, flags ...string) string {
	p.t.Helper()
	bin := filepath.Join(filepath.Dir(p.Dir), "program")
	args := append([]string{"build", "-gcflags=all=-N -l", "-o", bin}, flags...)
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return bin
}

// mark reads the marks of all source files. A mark names one line of the program.
func (p *Program) mark() {
	p.t.Helper()
	clear(p.Marks)
	err := filepath.WalkDir(p.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(built, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || bytes.IndexByte(text, 0) >= 0 { // not a text
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if m := markComment.FindStringSubmatch(line); m != nil {
				if _, twice := p.Marks[m[1]]; twice {
					p.t.Fatalf("%s:%d: mark %q is used twice", path, i+1, m[1])
				}
				p.Marks[m[1]] = i + 1
			}
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
}
