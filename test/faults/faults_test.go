//go:build linux

// Package faults takes from the server what it needs of a machine: room on the
// disk, descriptors, memory, a home, a temporary directory. A start that cannot
// be made then says so: what the machine lacks stands first in the message, and
// the hint says what to do about that, whatever language it is.
package faults

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// A shortens the arguments of calls.
type A = testkit.A

// want is how a fault shows: what the message begins with and what the hint
// names, in the languages of which something needs what is lacking. In all
// others the program runs as ever.
type want struct {
	what, hint string
	in         []string
}

// Whatever cannot be written says that the disk is full.
func TestFullTemporaryDirectory(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "f") // a short name: sockets lie there too
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	holds(t, testkit.Options{Through: full(t, dir), Env: []string{"TMPDIR=" + dir}},
		want{"the disk is full: ", "free space", []string{"go", "python", "javascript", "c", "cpp", "ruby"}}, A{})
}

// Caches of builds are on a full disk too.
func TestFullHome(t *testing.T) {
	dir := t.TempDir()
	holds(t, testkit.Options{Through: full(t, dir), Env: append(toolHomes(t), "HOME="+dir, "GOCACHE=", "XDG_CACHE_HOME=")},
		want{"the disk is full: ", "free space", []string{"go", "c", "cpp"}}, A{"languages": "go python c cpp ruby"})
}

// So it says where no disk is full but no file may grow.
func TestNoFileMayGrow(t *testing.T) {
	holds(t, testkit.Options{Through: limited("ulimit -f 1")},
		want{"a file may not become larger: ", "ulimit -f", []string{"go", "javascript"}}, A{"languages": "go javascript"})
}

func TestFewDescriptors(t *testing.T) {
	holds(t, testkit.Options{Through: limited("ulimit -n 20")},
		want{"too many files are open: ", "ulimit -n", all}, A{"installs": true})
}

// The tools of each language get too little memory, one by one.
func TestNoMemory(t *testing.T) {
	dir := t.TempDir()
	for tool, kib := range map[string]string{
		"go": "400000", "python3": "14000", "node": "600000", "gcc": "40000", "g++": "40000", "cc": "40000", "c++": "40000", "cargo": "300000",
	} {
		real, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		script := "#!/bin/sh\nulimit -v " + kib + "\nexec " + real + " \"$@\"\n"
		if err := os.WriteFile(filepath.Join(dir, tool), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	holds(t, testkit.Options{Env: []string{"PATH=" + dir + ":" + path()}},
		want{"there is not enough memory: ", "ulimit -v", []string{"go", "python", "javascript", "c", "cpp", "rust"}}, A{})
}

// A compiler that the system kills has no last words.
func TestKilledCompiler(t *testing.T) {
	dir := t.TempDir()
	for _, tool := range []string{"go", "g++", "c++", "cargo"} {
		if err := os.WriteFile(filepath.Join(dir, tool), []byte("#!/bin/sh\nkill -KILL $$\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	holds(t, testkit.Options{Env: []string{"PATH=" + dir + ":" + path()}},
		want{"a process was killed, ", "ulimit -v", []string{"go", "cpp", "rust"}}, A{"languages": "go c cpp rust"})
}

// Java reserves more than it needs, so that the whole server can be limited.
func TestNoMemoryForJava(t *testing.T) {
	holds(t, testkit.Options{Through: limited("ulimit -v 1500000")},
		want{"there is not enough memory: ", "ulimit -v", []string{"java", "javascript"}}, A{"languages": "java javascript python"})
}

// Where exactly Java runs out decides what it says and where: in part on its standard
// output, which is the protocol's. With each limit the cause is told, the server lives,
// and nothing is left in the user's directory.
func TestNoMemoryForTheJavaBridge(t *testing.T) {
	p := testkit.NewProgram(t, "")
	p.Write("Main.java", "class Main { public static void main(String[] args) { System.out.println(1); } }\n")
	javac := exec.Command("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "Main.java")
	javac.Dir = p.Dir
	if out, err := javac.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, kib := range []string{"1450000", "1500000", "1550000", "1600000", "1650000", "1700000"} {
		s := open(t, testkit.Options{Dir: p.Dir, Through: limited("ulimit -v " + kib)})
		r := s.Call("session_start", A{"target": "Main", "language": "java", "adapter_options": A{"classPath": []string{"."}}, "timeout_ms": 120_000})
		if r.IsError && (!strings.HasPrefix(r.At("error", "message"), "there is not enough memory: ") || !strings.Contains(r.At("error", "hint"), "ulimit -v")) {
			t.Errorf("ulimit -v %s:\n%s", kib, r)
		}
		s.OK("session", A{"action": "list"})
	}
	if left, _ := filepath.Glob(filepath.Join(p.Dir, "*.log")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestReadOnlyTemporaryDirectory(t *testing.T) {
	dir := t.TempDir()
	holds(t, testkit.Options{Through: mounted(t, dir, "-o ro", "true"), Env: []string{"TMPDIR=" + dir}},
		want{"a directory can only be read: ", "TMPDIR", all}, A{})
}

func TestNoTemporaryDirectory(t *testing.T) {
	holds(t, testkit.Options{Env: []string{"TMPDIR=/proc/none"}},
		want{"there is no place for temporary files: ", "TMPDIR", all}, A{})
}

// A home that is not there is missed by what keeps something in it.
func TestMissingHome(t *testing.T) {
	holds(t, testkit.Options{Env: []string{"HOME=/proc/none", "GOCACHE=", "XDG_CACHE_HOME=", "CARGO_HOME=", "RUSTUP_HOME="}},
		want{"there is no home directory: ", "set HOME", []string{"go", "c", "cpp", "rust"}}, A{})
}

func TestReadOnlyHome(t *testing.T) {
	dir := t.TempDir()
	holds(t, testkit.Options{Through: mounted(t, dir, "-o ro", "true"), Env: append(toolHomes(t), "HOME="+dir, "GOCACHE=", "XDG_CACHE_HOME=")},
		want{"a directory can only be read: ", "GOCACHE", []string{"go", "c", "cpp"}}, A{"languages": "go python c cpp ruby"})
}

// Without any home debug adapters have no place: it is never the temporary
// directory, where another user could have put them.
func TestNoHome(t *testing.T) {
	unset := []string{"env", "-u", "HOME", "-u", "AIDB_HOME", "-u", "XDG_DATA_HOME", "-u", "XDG_CACHE_HOME", "-u", "GOCACHE"}
	s := open(t, testkit.Options{Through: unset})
	for language, cause := range map[string]string{
		"go": "there is no home directory: ", "c": "there is no home directory: ",
		"python": "there is no place for debug adapters", "javascript": "there is no place for debug adapters",
		"java": "there is no place for debug adapters",
	} {
		r := s.start(t, language)
		if !strings.HasPrefix(r.At("error", "message"), cause) || !strings.Contains(r.At("error", "hint"), "HOME") {
			t.Errorf("%s: want %q in\n%s", language, cause, r)
		}
	}
	r := s.Fail("ADAPTER_INSTALL_FAILED", "adapter", A{"action": "install", "language": "python"})
	if !strings.Contains(r.At("error", "hint"), "AIDB_HOME") {
		t.Errorf("the installation:\n%s", r)
	}
	r.Lacks("/dev/null")
	s.OK("adapter", A{"action": "list", "language": "java"}).Want("false", "data", "adapters", "0", "ready").Lacks("/dev/null")
}

// An adapter that cannot be installed for want of room does not blame the network.
func TestInstallOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	s := testkit.Start(t, testkit.Options{Through: full(t, dir), Env: []string{"AIDB_HOME=" + dir}})
	r := s.Fail("ADAPTER_INSTALL_FAILED", "adapter", A{"action": "install", "language": "python"})
	if !strings.HasPrefix(r.At("error", "message"), "the disk is full: ") || !strings.Contains(r.At("error", "hint"), "free space") {
		t.Errorf("the cause is not told:\n%s", r)
	}
}

// holds starts a program of each language and compares what comes of it. It ends
// with the fault's own word for an installation, where one is asked for.
func holds(t *testing.T, o testkit.Options, w want, more A) {
	t.Helper()
	s := open(t, o)
	asked := all
	if some, ok := more["languages"].(string); ok {
		asked = strings.Fields(some)
	}
	for _, language := range asked {
		r := s.start(t, language)
		fails := slices.Contains(w.in, language)
		switch {
		case !fails && (r.IsError || r.At("data", "execution_state", "exit_code") != "0"):
			t.Errorf("%s needs nothing that is lacking:\n%s", language, r)
		case fails && (!strings.HasPrefix(r.At("error", "message"), w.what) || !strings.Contains(r.At("error", "hint"), w.hint)):
			t.Errorf("%s: want %q, and %q in the hint:\n%s", language, w.what, w.hint, r)
		}
	}
	if more["installs"] == true {
		// "install " is advice, "the installed adapter cannot be looked at" is none.
		s.OK("adapter", A{"action": "list"}).Has(w.what).Lacks("no working Python", "was not found", "install ")
	}
}
