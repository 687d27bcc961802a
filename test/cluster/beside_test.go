//go:build linux

package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// A machine stands beside programs that have files of their own, as containers have: their
// root is another, their code lies at other paths than the workspace, and of their libraries
// one is nowhere else. (It is root who can make such a place.)

// besideSources are programs that double a number again and again.
var besideSources = map[string]string{
	"loop.c":       "#include <stdio.h>\n#include <unistd.h>\nextern int twice(int n);\nint main(void) {\n  for (int i = 1;; i++) {\n    printf(\"%d\\n\", twice(i));\n    usleep(50000);\n  }\n}\n",
	"twice.c":      "int twice(int n) {\n  int result = 2 * n;\n  return result;\n}\n",
	"loop.py":      "import time\n\ndef twice(n):\n    result = 2 * n\n    return result\n\ni = 0\nwhile True:\n    i += 1\n    twice(i)\n    time.sleep(0.05)\n",
	"loop.js":      "function twice(n) {\n  const result = 2 * n\n  return result\n}\nlet i = 0\nsetInterval(() => { i++; twice(i) }, 50)\n",
	"Loop.java":    "public class Loop {\n  static int twice(int n) {\n    int result = 2 * n;\n    return result;\n  }\n  public static void main(String[] a) throws Exception {\n    for (int i = 1;; i++) { twice(i); Thread.sleep(50); }\n  }\n}\n",
	"loop/go.mod":  "module loop\n\ngo 1.24\n",
	"loop/main.go": "package main\n\nimport \"time\"\n\nfunc twice(n int) int {\n\tresult := 2 * n\n\treturn result\n}\n\nfunc main() {\n\tfor i := 1; ; i++ {\n\t\ttwice(i)\n\t\ttime.Sleep(50 * time.Millisecond)\n\t}\n}\n",
}

// container is a root of its own, in which /srv/app has the programs.
type container struct {
	root string
	ws   string // where the same sources lie outside
}

// enter makes the root that of the shell, as a container's engine does, and runs a command in
// /srv/app there.
const enter = `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
for dir in usr etc dev opt root; do if [ -d /$dir ]; then mkdir -p "$1/$dir"; mount --rbind /$dir "$1/$dir"; fi; done
mount -t proc proc "$1/proc"
cd "$1"
pivot_root . old
umount -l /old
cd /srv/app
exec sh -c "$2"
`

func newContainer(t *testing.T) *container {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("only root can make a container here")
	}
	c := &container{root: t.TempDir(), ws: t.TempDir()}
	for _, dir := range []string{"proc", "tmp", "old", "srv/app"} {
		if err := os.MkdirAll(filepath.Join(c.root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"bin", "sbin", "lib", "lib64"} {
		if to, err := os.Readlink("/" + dir); err == nil {
			if err := os.Symlink(to, filepath.Join(c.root, dir)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, text := range besideSources {
		for _, under := range []string{c.ws, filepath.Join(c.root, "srv/app")} {
			file := filepath.Join(under, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return c
}

// command is one that runs in the container, with processes of its own.
func (c *container) command(command string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", enter, "sh", c.root, command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// build runs a command that ends.
func (c *container) build(t *testing.T, command string) {
	t.Helper()
	if out, err := c.command(command).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// start starts a program, which is process 1 there, and waits until it is what it should be.
func (c *container) start(t *testing.T, command string) (pid int) {
	t.Helper()
	cmd := c.command("exec " + command)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	last := command[strings.LastIndex(command, " ")+1:]
	testkit.Eventually(t, time.Minute, command, func() bool {
		line, err := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/cmdline")
		return err == nil && strings.Contains(string(line), last) && !strings.Contains(string(line), "pivot_root") && !strings.HasPrefix(string(line), "sh\x00")
	})
	return cmd.Process.Pid
}

// A machine attaches to programs in containers beside it: they stop at a breakpoint of the
// workspace, show their values, and go on alone.
func TestBesideContainers(t *testing.T) {
	testkit.Adapters(t)
	c := newContainer(t)
	// What Go has compiled before is there, too, where it lies below a folder that is.
	cache, err := registry.Output(c.ws, "go", "env", "GOCACHE")
	if err != nil {
		t.Fatal(err)
	}
	c.build(t, "gcc -g -shared -fPIC -o libtwice.so twice.c && gcc -g -o loopc loop.c -L. -ltwice -Wl,-rpath,/srv/app && javac -g Loop.java && cd loop && PATH=$PATH:/usr/local/go/bin GOCACHE="+strings.TrimSpace(string(cache))+" HOME=/tmp CGO_ENABLED=0 go build -gcflags='all=-N -l' -o ../loopgo .")
	g := begin(t)
	g.machine(t, "beside", g.cluster, map[string]string{"main": c.ws})
	for _, p := range []struct {
		language, command, at, equal string
		times                        int
	}{
		{"c", "/srv/app/loopc", "twice.c:3", "result == 2*n", 1},
		{"go", "/srv/app/loopgo", "loop/main.go:7", "result == 2*n", 1},
		{"javascript", "node loop.js", "loop.js:3", "result === 2*n", 1},
		{"python", "/usr/bin/python3 loop.py", "loop.py:5", "result == 2*n", 2},
		{"java", "java -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:" + strconv.Itoa(testkit.Port(t)) + " Loop", "Loop.java:4", "result == 2*n", 1},
	} {
		t.Run(p.language, func(t *testing.T) {
			pid := c.start(t, p.command)
			s := g.agent(t, "main")
			for range p.times {
				s.OK("session_start", A{"pid": pid, "breakpoints": []string{p.at}, "timeout_ms": longest}).
					Want("stopped_at_breakpoint", "data", "execution_state", "status").Has("result")
				if is := s.OK("inspect", A{"expression": p.equal}).At("data", "result", "v"); !strings.EqualFold(is, "true") {
					t.Errorf("%s is %s", p.equal, is)
				}
				s.OK("session", A{"action": "stop"}).Has("left running")
			}
			state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
			if err != nil || strings.Contains(string(state), ") t ") || strings.Contains(string(state), ") T ") || strings.Contains(string(state), ") Z ") {
				t.Errorf("it does not go on: %s, %v", state, err)
			}
			testkit.Eventually(t, time.Minute, "nothing of ours to be left in its /tmp", func() bool {
				left, err := filepath.Glob(filepath.Join(c.root, "tmp", "aidb-*"))
				return err == nil && len(left) == 0
			})
		})
	}
}

// A worker that is there for one process works in its directory, and tells its clients which
// it is.
func TestTargetPID(t *testing.T) {
	testkit.Adapters(t)
	c := newContainer(t)
	c.build(t, "gcc -g -shared -fPIC -o libtwice.so twice.c && gcc -g -o loopc loop.c -L. -ltwice -Wl,-rpath,/srv/app")
	pid := c.start(t, "/srv/app/loopc")
	g := begin(t)
	g.machine(t, "pod", g.cluster, nil, "--target-pid", strconv.Itoa(pid))
	s := g.agent(t, "loopc")
	if text := s.Client.InitializeResult().Instructions; !strings.Contains(text, "This server is there for process "+strconv.Itoa(pid)+" (loopc)") {
		t.Errorf("%s", text)
	}
	s.OK("session_start", A{"pid": pid, "breakpoints": []string{"twice.c:3"}, "timeout_ms": longest}).
		Want("stopped_at_breakpoint", "data", "execution_state", "status")
	s.OK("inspect", A{"expression": "result - n - n"}).Want("0", "data", "result", "v")
	s.OK("session", A{"action": "stop"})
}
