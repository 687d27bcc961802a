package build

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	_ "aidb-mcp/internal/system/process" // supervises in TestMain's stead
	"aidb-mcp/internal/testkit"
)

// project is a copy of a folder of testdata, and a cache of its own.
type project struct {
	t          testing.TB
	dir, cache string
}

// newProject copies testdata/name; an empty name gives an empty directory.
func newProject(t testing.TB, name string) *project {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{t: t, dir: filepath.Join(dir, "work"), cache: filepath.Join(dir, "cache")}
	if name == "" {
		err = os.Mkdir(p.dir, 0o755)
	} else {
		err = os.CopyFS(p.dir, os.DirFS(filepath.Join(testkit.Root(), "testdata", filepath.FromSlash(name))))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *project) write(name, text string) *project {
	p.t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		p.t.Fatal(err)
	}
	return p
}

// try builds; the request's workspace is the project.
func (p *project) try(lang Language, r adapters.Request) (Product, error) {
	p.t.Helper()
	r.Workspace = p.dir
	r.Mode = Infer(r, lang)
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute)
	defer cancel()
	return Build(ctx, r, lang, Options{Log: slog.New(slog.DiscardHandler), Cache: p.cache}, nil)
}

func (p *project) build(lang Language, r adapters.Request) Product {
	p.t.Helper()
	product, err := p.try(lang, r)
	if err != nil {
		var f *fault.Error
		errors.As(err, &f)
		p.t.Fatalf("building %+v: %v\n%+v", r, err, f)
	}
	return product
}

// refuse builds what cannot be built and wants these words in the message and the hint.
func (p *project) refuse(lang Language, r adapters.Request, code fault.Code, words ...string) *fault.Error {
	p.t.Helper()
	_, err := p.try(lang, r)
	var f *fault.Error
	if !errors.As(err, &f) {
		p.t.Fatalf("%+v: %v", r, err)
	}
	if f.Code != code {
		p.t.Errorf("code %s, want %s: %s", f.Code, code, f.Message)
	}
	if f.Hint == "" {
		p.t.Errorf("no hint with %q", f.Message)
	}
	for _, word := range words {
		if !strings.Contains(f.Message+"\n"+f.Hint, word) {
			p.t.Errorf("no %q in %q, hint %q", word, f.Message, f.Hint)
		}
	}
	return f
}

// located wants the first compile error at a place.
func located(t testing.TB, f *fault.Error, file string, line int) {
	t.Helper()
	details, ok := f.Details.(prepare.BuildDetails)
	if !ok || len(details.Errors) == 0 {
		t.Fatalf("no compile errors in %+v (%s)", f.Details, f.Message)
	}
	if e := details.Errors[0]; e.File != file || e.Line != line || e.Message == "" {
		t.Errorf("error %+v, want %s:%d", e, file, line)
	}
}

// output runs a product.
func output(t testing.TB, p Product) string {
	t.Helper()
	args := slices.DeleteFunc(slices.Clone(p.Args), func(arg string) bool { return arg == "--gtest_break_on_failure" }) // there is no debugger
	cmd := exec.CommandContext(t.Context(), p.Program, args...)
	cmd.Dir, cmd.Env = p.Dir, prepare.Overlay(os.Environ(), p.Env)
	out, _ := cmd.CombinedOutput()
	return string(out)
}

func wants(t testing.TB, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("no %q in:\n%s", word, text)
		}
	}
}
