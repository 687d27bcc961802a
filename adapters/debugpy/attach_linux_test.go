package debugpy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A program that sees other files than we is told from one that does not, with how it knows itself. From
// one with a network of its own there is no way back to us. What is carried there may be read by all,
// and no link there leads out.
func TestProgramsElsewhere(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may change a root directory")
	}
	dir, home := t.TempDir(), t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "waits")
	for file, text := range map[string]string{
		source: "package main\n\nimport \"os\"\n\nfunc main() { os.Stdin.Read(make([]byte, 1)) }\n",
		filepath.Join(home, "debugpy/server/cli.py"):  "1\n",
		filepath.Join(home, "debugpy/server/cli.exe"): "2\n",
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", program, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.MkdirAll(filepath.Join(dir, "var/tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "tmp")); err != nil { // which a container can make
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		how         syscall.SysProcAttr
		isElsewhere bool
		pid         int // by which it knows itself; 0: by ours
		refused     string
	}{
		"ours":              {},
		"chroot":            {how: syscall.SysProcAttr{Chroot: dir}, isElsewhere: true},
		"another container": {how: syscall.SysProcAttr{Chroot: dir, Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID}, isElsewhere: true, pid: 1},
		"another network":   {how: syscall.SysProcAttr{Chroot: dir, Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWNET}, refused: "a network of its own"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(program)
			if cmd.SysProcAttr = &c.how; c.how.Chroot != "" {
				cmd.Path = "/waits"
			}
			in, err := cmd.StdinPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				in.Close()
				_ = cmd.Wait()
			}()
			is, err := where(cmd.Process.Pid)
			if (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
				t.Fatal(err)
			}
			if (is != nil) != c.isElsewhere {
				t.Fatalf("%+v", is)
			}
			if is == nil {
				return
			}
			if c.pid == 0 {
				c.pid = cmd.Process.Pid
			}
			if is.pid != c.pid {
				t.Errorf("it knows itself as %d", is.pid)
			}
			if err := is.carry(home); err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(is.ours())
			if left, err := os.ReadDir(outside); err != nil || len(left) > 0 || !strings.HasPrefix(is.dir, "/var/tmp/aidb-") {
				t.Errorf("a link leads out: %s, %v, %v", is.dir, left, err)
			}
			at := filepath.Join(dir, is.dir, "debugpy/server")
			for file, mode := range map[string]os.FileMode{"": 0o755 | os.ModeDir, "cli.py": 0o644} {
				if info, err := os.Stat(filepath.Join(at, file)); err != nil || info.Mode() != mode {
					t.Errorf("%s: %v, %v", file, info, err)
				}
			}
			if _, err := os.Stat(filepath.Join(at, "cli.exe")); err == nil {
				t.Error("what no program needs is carried, too")
			}
		})
	}
}
