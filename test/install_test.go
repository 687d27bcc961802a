//go:build linux

package test

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// want runs the binary and holds its exit code and what it prints.
func want(t *testing.T, home string, code int, args []string, wants ...string) {
	t.Helper()
	out, errs, got := runIn(t, home, args...)
	if got != code {
		t.Fatalf("aidb-mcp %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, out, errs)
	}
	for _, text := range wants {
		if !strings.Contains(out+errs, text) {
			t.Errorf("aidb-mcp %s: no %q in\n%s%s", strings.Join(args, " "), text, out, errs)
		}
	}
}

// Every adapter is fetched with the package clients, verified, damaged, mended
// and removed.
func TestEveryAdapterIsInstalled(t *testing.T) {
	t.Parallel()
	testkit.Long(t, "make adapters installs each before the tests, and package install mends what is damaged")
	home := t.TempDir()
	want(t, home, 0, []string{"adapters", "install", "--all"},
		"debugpy 1.8.22 (python): installed", "js-debug 1.112.0 (javascript, typescript): installed", "codelldb 1.11.8 (c, cpp, rust): installed",
		"junit-console 1.11.4 (java): installed", "asm 9.9 (java): installed", "asm-tree 9.9 (java): installed", "(java): prepared",
		"fetching", "unpacking")
	want(t, home, 0, []string{"adapters", "install", "--all"}, "debugpy 1.8.22 (python): already there")
	want(t, home, 0, []string{"adapters", "path"}, filepath.Join(home, "adapters"))
	want(t, home, 0, []string{"adapters", "verify"}, "debugpy 1.8.22 (python): whole", "js-debug 1.112.0 (javascript, typescript): whole", "codelldb 1.11.8 (c, cpp, rust): whole", "junit-console 1.11.4 (java): whole", "asm 9.9 (java): whole", "asm-tree 9.9 (java): whole")

	file := filepath.Join(home, "adapters", "debugpy", "debugpy", "adapter", "__main__.py")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text[0] ^= 1
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	want(t, home, 1, []string{"adapters", "verify", "python"}, "debugpy 1.8.22 (python): damaged", "debugpy/adapter/__main__.py", "install --force debugpy")
	bare := exec.Command(testkit.Binary(t), "doctor", "--json") // no program is debugged where there are no tools
	bare.Env = append(os.Environ(), "AIDB_HOME="+home, "PATH="+t.TempDir())
	if out, err := bare.Output(); err == nil || !strings.Contains(string(out), `"aidb-mcp adapters install --force debugpy"`) {
		t.Errorf("doctor says of an adapter that is damaged (%v)\n%s", err, out)
	}
	want(t, home, 0, []string{"adapters", "install", "--force", "python"}, "debugpy 1.8.22 (python): installed")
	want(t, home, 0, []string{"adapters", "verify", "python"}, "debugpy 1.8.22 (python): whole")

	want(t, home, 0, []string{"adapters", "remove", "rust"}, "codelldb 1.11.8 (c, cpp, rust): removed")
	want(t, home, 0, []string{"adapters", "remove", "--all"}, "debugpy 1.8.22 (python): removed", "codelldb (c, cpp, rust): not installed")
	onlyIn(t, home)
}

// onlyIn holds which components a home has, and that nothing half done is left.
func onlyIn(t *testing.T, home string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(home, "adapters"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		if e.Name() != ".lock" {
			found = append(found, e.Name())
		}
	}
	if !slices.Equal(found, names) {
		t.Errorf("in %s are %q, want %q", home, found, names)
	}
}

// eachFile calls do for the files of an installed component.
func eachFile(t *testing.T, component string, do func(name string, text []byte) error) {
	t.Helper()
	root := os.DirFS(filepath.Join(testkit.Home(), "adapters", component))
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(name, "boot-") { // js-debug's bootloader as we lay it out, which comes with its first use
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || strings.HasPrefix(name, ".") || strings.Contains(name, "__pycache__") {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		return do(name, text)
	})
	if err != nil {
		t.Fatalf("%v (\"make adapters\" installs what the tests need)", err)
	}
}

// jsDebugRelease packs js-debug as its own releases do.
func jsDebugRelease(t *testing.T) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "js-debug-dap-v1.112.0.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	zipped := gzip.NewWriter(file)
	w := tar.NewWriter(zipped)
	eachFile(t, "js-debug", func(name string, text []byte) error {
		if err := w.WriteHeader(&tar.Header{Name: "js-debug/" + name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		_, err := w.Write(text)
		return err
	})
	if err := errors.Join(w.Close(), zipped.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}

// debugpyWheel packs debugpy as a wheel.
func debugpyWheel(t *testing.T) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "debugpy-1.8.22-py2.py3-none-any.whl"))
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	eachFile(t, "debugpy", func(name string, text []byte) error {
		if rest, ok := strings.CutPrefix(name, "licenses/"); ok {
			name = "debugpy-1.8.22.dist-info/licenses/" + rest
		}
		f, err := w.Create(name)
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		return err
	})
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}

// The publishers' own archives do as well as the registries' packages, also
// where two installations run at once.
func TestAdaptersFromArchives(t *testing.T) {
	t.Parallel()
	home, wheel := t.TempDir(), debugpyWheel(t)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			want(t, home, 0, []string{"adapters", "install", "python", "--from", wheel}, "debugpy 1.8.22 (python): installed")
		})
	}
	both.Wait()
	want(t, home, 0, []string{"adapters", "install", "typescript", "--from", jsDebugRelease(t)}, "js-debug 1.112.0 (javascript, typescript): installed")
	want(t, home, 0, []string{"adapters", "verify"}, "debugpy 1.8.22 (python): whole", "js-debug 1.112.0 (javascript, typescript): whole", "codelldb (c, cpp, rust): not installed")
	onlyIn(t, home, "debugpy", "js-debug")
	want(t, home, 1, []string{"adapters", "install", "rust", "--from", wheel}, "holds nothing of codelldb", "codelldb-linux-x64.vsix")
}

func TestInstallingWrongly(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	want(t, home, 1, []string{"adapters", "install"}, "--all")
	want(t, home, 1, []string{"adapters", "install", "pyhton"}, `did you mean "python"?`)
	want(t, home, 1, []string{"adapters", "install", "python", "rust", "--from", "x.zip"}, "name one language")
	want(t, home, 1, []string{"adapters", "install", "java", "--from", "x.jar"}, "junit-console, asm, asm-tree")
	want(t, home, 1, []string{"adapters", "install", "python", "--sha256", "00"}, "--from")
	want(t, home, 1, []string{"adapters", "install", "python", "--version", "1.0"}, "1.8.22")
	want(t, home, 1, []string{"adapters", "install", "python", "--system"}, "not needed for python")
	want(t, home, 0, []string{"adapters", "install", "go"}, "Delve (go): part of aidb-mcp")
	want(t, home, 0, []string{"adapters", "verify", "go"}, "part of aidb-mcp")
	if _, err := os.Stat(filepath.Join(home, "adapters", "debugpy")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("debugpy: %v", err)
	}
}

// Killed in the middle of fetching, an installation leaves what was there, and
// no client that goes on.
func TestAKilledInstallLeavesTheOld(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	want(t, home, 0, []string{"adapters", "install", "javascript", "--from", jsDebugRelease(t)}, "installed")

	bin := t.TempDir()
	fifo := filepath.Join(bin, "alive")
	if err := exec.Command("mkfifo", fifo).Run(); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nexec 3> " + fifo + "\nsleep 1000 &\necho x >&3\nwait\n"
	if err := os.WriteFile(filepath.Join(bin, "npm"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(testkit.Binary(t), "adapters", "install", "--force", "javascript")
	cmd.Env = append(os.Environ(), "AIDB_HOME="+home, "PATH="+bin+":"+os.Getenv("PATH"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() {
		alive, err := os.Open(fifo)
		if err == nil {
			defer alive.Close()
			_, err = alive.Read(make([]byte, 2))
			_ = cmd.Process.Kill()
		}
		if err == nil {
			_, err = alive.Read(make([]byte, 2))
		}
		gone <- err
	}()
	select {
	case err := <-gone:
		if !errors.Is(err, io.EOF) {
			t.Errorf("the pipe of the client ended with %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("the client goes on")
	}
	_ = cmd.Wait()
	want(t, home, 0, []string{"adapters", "verify", "javascript"}, "js-debug 1.112.0 (javascript, typescript): whole")
	want(t, home, 0, []string{"adapters", "remove", "python"}, "debugpy (python): not installed")
	onlyIn(t, home, "js-debug")
}

// An agent that lacks an adapter installs it and goes on in the same server.
func TestAnAgentInstallsWhatItLacks(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told []string
	p := testkit.NewProgram(t, "")
	if err := os.WriteFile(filepath.Join(p.Dir, "app.py"), []byte("answer = 42\nprint(answer)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"AIDB_HOME=" + t.TempDir()}, Progress: func(message string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, message)
	}})
	start := A{"target": "app.py", "breakpoints": []A{{"file": "app.py", "line": 2}}}
	s.Fail("ADAPTER_NOT_FOUND", "session_start", start).Has("aidb-mcp adapters install python").Has("adapter(action: install, language: python)")
	s.OK("adapter", A{"action": "verify", "language": "python"}).Has("not installed")
	s.OK("adapter", A{"action": "download", "language": "python"}).
		Want("installed", "data", "components", "0", "state").Want("1.8.22", "data", "components", "0", "version").
		Want("true", "data", "adapters", "0", "ready").Want("init", "next_steps", "0", "tool")
	s.OK("session_start", start).Want("app.py:2", "data", "location")
	s.OK("session", A{"action": "stop"})
	s.OK("adapter", A{"action": "install", "language": "python"}).Has("debugpy 1.8.22 already there")
	testkit.Start(t, testkit.Options{}).OK("adapter", A{"action": "install_all"}).Has("debugpy 1.8.22 already there").Has("codelldb 1.11.8 already there")
	s.OK("adapter", A{"action": "verify", "language": "python"}).Want("whole", "data", "components", "0", "state")
	s.OK("adapter", A{"action": "remove", "language": "py"}).Want("removed", "data", "components", "0", "state")
	s.Fail("ADAPTER_NOT_FOUND", "session_start", start)
	s.Fail("VALIDATION_MISSING_PARAM", "adapter", A{"action": "install"})
	s.Fail("ADAPTER_NOT_FOUND", "adapter", A{"action": "install", "language": "cobol"})
	s.Fail("ADAPTER_INSTALL_FAILED", "adapter", A{"action": "install", "language": "python", "version": "1.0"}).Has("1.8.22")
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{"debugpy: fetching", "debugpy: unpacking"} {
		if !slices.ContainsFunc(told, func(m string) bool { return strings.Contains(m, want) }) {
			t.Errorf("no progress %q in %q", want, told)
		}
	}
}

// doctor debugs a program with every adapter.
func TestDoctorTriesEveryLanguage(t *testing.T) {
	t.Parallel()
	out, errs, code := run(t, "doctor")
	if code != 0 {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	for _, part := range []string{"ptrace", "Delve"} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	for _, language := range []string{"Go", "Python", "JavaScript", "C++", "Rust", "Java"} {
		if want := "debugging a tiny " + language + " program: built, started, stopped at a breakpoint and ended"; !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// An adapter that we neither have nor fetch is told of with its own words.
func TestInstallingWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	table := `{"adapters": {"bash": {"install": "npm install -g bash-debug", "command": ["aidb-no-such-adapter"], "launch": {}}}}`
	if err := os.WriteFile(file, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	want(t, home, 1, []string{"--config", file, "adapters", "install", "bash"}, "aidb-no-such-adapter", "npm install -g bash-debug")
	want(t, home, 1, []string{"--config", file, "adapters", "verify", "bash"}, "npm install -g bash-debug")
	want(t, home, 0, []string{"--config", file, "adapters", "remove", "bash"}, "not installed")
	s := testkit.Start(t, testkit.Options{Env: []string{"AIDB_CONFIG=" + file, "AIDB_HOME=" + home}})
	s.Fail("ADAPTER_INSTALL_FAILED", "adapter", A{"action": "install", "language": "bash"}).Has("npm install -g bash-debug").Lacks("part of")
	s.OK("adapter", A{"action": "install", "language": "go"}).Has("Delve is part of aidb-mcp")
}
