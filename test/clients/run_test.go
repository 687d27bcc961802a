//go:build linux

package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// limit ends a client that hangs.
const limit = 2 * time.Minute

// place is where one client runs: a home of its own, the program with the bug as
// its working directory, and nothing of our environment but what it needs.
type place struct {
	t    *testing.T
	Home string
	Env  []string
	bug  *testkit.Program
	kit  string // the folder of the fetched packages

	tools []string // ours
}

// ended is what a client leaves when it ends.
type ended struct{ Stdout, Stderr string }

// newPlace makes a home below the cache, for some clients trust none in the
// temporary directory.
func newPlace(t *testing.T, c client) *place {
	t.Helper()
	p := &place{t: t, bug: testkit.NewProgram(t, bug), kit: c.From.Fetch(t)}
	home, err := os.MkdirTemp(testkit.Clients(), "home-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	p.Home = home
	// A client may hide Go's variables from the server, so its caches must be
	// where Go looks for them.
	p.link("GOCACHE", ".cache/go-build")
	p.link("GOMODCACHE", "go/pkg/mod")
	if err := os.Mkdir(p.tmp(), 0o755); err != nil {
		t.Fatal(err)
	}
	path := append([]string{filepath.Dir(testkit.Binary(t))}, c.From.Path(p.kit)...)
	const nobody = "http://127.0.0.1:1" // whatever is asked of the world is refused
	p.Env = []string{
		"HOME=" + p.Home, "TMPDIR=" + p.tmp(), "AIDB_HOME=" + testkit.Home(), "AIDB_NO_STORE=true",
		"PATH=" + strings.Join(append(path, os.Getenv("PATH")), ":"),
		"LANG=C.UTF-8", "TERM=xterm-256color", "USER=tester", "SHELL=/bin/sh",
		"HTTPS_PROXY=" + nobody, "HTTP_PROXY=" + nobody, "NO_PROXY=127.0.0.1",
	}
	p.Env = append(p.Env, c.From.Env(p.kit)...)
	return p
}

func (p *place) tmp() string { return filepath.Join(p.Home, "tmp") }

// link makes one of Go's directories known in the home.
func (p *place) link(variable, name string) {
	p.t.Helper()
	dir, err := exec.Command("go", "env", variable).Output()
	if err != nil {
		p.t.Fatal(err)
	}
	link := filepath.Join(p.Home, name)
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Symlink(strings.TrimSpace(string(dir)), link); err != nil {
		p.t.Fatal(err)
	}
}

// write puts a file into the home.
func (p *place) write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.Home, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// script puts a file of testdata into the home and returns its path.
func (p *place) script(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		p.t.Fatal(err)
	}
	p.write(name, string(text))
	return filepath.Join(p.Home, name)
}

// endless names a program that never ends to the scripts.
func (p *place) endless() {
	p.Env = append(p.Env, "ENDLESS="+testkit.NewProgram(p.t, "endless").Dir)
}

// modules lets scripts in the home import the fetched packages.
func (p *place) modules() {
	p.t.Helper()
	err := os.Symlink(filepath.Join(p.kit, "node_modules"), filepath.Join(p.Home, "node_modules"))
	if err != nil && !errors.Is(err, fs.ErrExist) {
		p.t.Fatal(err)
	}
}

// run runs a command line of a client to its end, without input. It must end
// well, speak of no trouble, and leave no process and no file of the server.
func (p *place) run(command string) ended {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir, cmd.Env = p.bug.Dir, p.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	e := ended{Stdout: stdout.String(), Stderr: stderr.String()}
	if err != nil || trouble.MatchString(e.Stderr) {
		p.t.Errorf("%s: %v\nstdout:\n%s\nstderr:\n%s", command, err, e.Stdout, e.Stderr)
	}
	testkit.NoneLeft(p.t, 10*time.Second, func() []testkit.Proc { return testkit.Marked("HOME=" + p.Home) })
	if left, err := filepath.Glob(filepath.Join(p.tmp(), "aidb*")); err != nil || len(left) > 0 {
		p.t.Errorf("left in the temporary directory: %q, %v", left, err)
	}
	return e
}

// trouble finds what no client writes to its standard error when all is well.
var trouble = regexp.MustCompile(`(?i)\b(error|errors|exception|traceback|panic|panicked|failed|fatal|refused|denied)\b`)

// decode reads JSON.
func (p *place) decode(text string, v any) {
	p.t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		p.t.Fatalf("%v in\n%s", err, text)
	}
}
