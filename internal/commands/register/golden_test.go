package register

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the files of testdata anew")

// Each file of testdata is a home before and after. Its first line names the
// client, the scope and the system; then "open" (the files have no last newline)
// and "crlf", which the archive cannot show, and "loose" (undo may leave another
// layout). Setup makes the one of the other, says
// the second time that nothing is to be done, and undo makes the first again.
func TestFilesOfClients(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal(cases, err)
	}
	covered := map[string]bool{}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			words := strings.Fields(string(archive.Comment))
			c, scope := clientNamed(t, words[0]), Scope(words[1])
			covered[c.Name] = true
			home := t.TempDir()
			r := registrarAt(t, home)
			r.Machine.OS = words[2]
			before := map[string]string{}
			want := map[string]string{}
			for _, f := range archive.Files {
				if name, ok := strings.CutPrefix(f.Name, "before/"); ok {
					before[name] = asHeld(string(f.Data), words)
					put(t, filepath.Join(home, name), before[name])
				} else if name, ok := strings.CutPrefix(f.Name, "after/"); ok {
					want[name] = string(f.Data)
				}
			}
			p, err := r.Plan(c, scope, Server{"/opt/aidb-mcp", []string{"serve"}}, false)
			if err != nil || p.State != Absent || p.Diff == "" {
				t.Fatalf("%v, %+v", err, p)
			}
			if got := homeFiles(t, home); !cmp.Equal(got, before) {
				t.Fatal("a plan changes files: " + cmp.Diff(before, got))
			}
			if _, err := r.Apply(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			got := homeFiles(t, home)
			for name := range before {
				if got[name+backupSuffix] != before[name] {
					t.Errorf("%s: the backup is %q", name, got[name+backupSuffix])
				}
				delete(got, name+backupSuffix)
			}
			compare(t, file, archive, words, got, want)
			again, err := r.Plan(c, scope, Server{"/opt/aidb-mcp", []string{"serve"}}, false)
			if err != nil || again.State != Present || again.Diff != "" {
				t.Errorf("the second time: %v, %+v", err, again)
			}
			undoAll(t, r)
			if slices.Contains(words, "loose") {
				return
			}
			if slices.Contains(words, "open") && strings.HasSuffix(p.File, ".toml") {
				before[".codex/config.toml"] += "\n" // a line that was not ended is
			}
			left := homeFiles(t, home)
			for name := range left {
				if strings.HasSuffix(name, backupSuffix) && slices.Contains(words, "open") {
					delete(left, name)
				}
			}
			if !cmp.Equal(left, before) {
				t.Error("undo leaves something else: " + cmp.Diff(before, left))
			}
		})
	}
	for _, c := range Clients() {
		if !covered[c.Name] {
			t.Errorf("no case for %s", c.Name)
		}
	}
}

// compare looks whether a home has become what a case says, or writes it there.
func compare(t *testing.T, file string, archive *txtar.Archive, words []string, got, want map[string]string) {
	t.Helper()
	if *update {
		archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "after/") })
		for name, text := range got {
			if slices.Contains(words, "crlf") {
				text = strings.ReplaceAll(text, "\r\n", "\n")
			}
			archive.Files = append(archive.Files, txtar.File{Name: "after/" + name, Data: []byte(text)})
		}
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	} else {
		for name, text := range got {
			if slices.Contains(words, "crlf") {
				if strings.Count(text, "\r\n") != strings.Count(text, "\n") {
					t.Errorf("%s has lines of both kinds: %q", name, text)
				}
				text = strings.ReplaceAll(text, "\r\n", "\n")
			}
			if !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			got[name] = text
		}
		if !cmp.Equal(got, want) {
			t.Error(cmp.Diff(want, got))
		}
	}
}

// asHeld is a file as the words of its case say.
func asHeld(text string, words []string) string {
	if slices.Contains(words, "open") {
		text = strings.TrimSuffix(text, "\n")
	}
	if slices.Contains(words, "crlf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

func clientNamed(t *testing.T, name string) Client {
	t.Helper()
	for _, c := range Clients() {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("there is no client %s", name)
	return Client{}
}

// registrarAt works in a home, on a machine without any client's command.
func registrarAt(t *testing.T, home string) *Registrar {
	t.Helper()
	project := filepath.Join(home, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	return &Registrar{
		Notes: filepath.Join(t.TempDir(), "setup.json"),
		Machine: Machine{
			OS: "linux", Home: home, Project: project,
			Env:      func(string) string { return "" },
			LookPath: func(string) (string, error) { return "", exec.ErrNotFound },
		},
	}
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// homeFiles are the files below a folder, by their names there.
func homeFiles(t *testing.T, home string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(home, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// undoAll takes back everything that is noted.
func undoAll(t *testing.T, r *Registrar) {
	t.Helper()
	list, err := r.Undo(func(string, Scope) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range list {
		p, err := r.PlanUndo(n, false)
		if err != nil || p.State != Present {
			t.Fatalf("%v, %+v", err, p)
		}
		if _, err := r.Apply(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if exists(r.Notes) {
		t.Error("the notes are still there")
	}
}
