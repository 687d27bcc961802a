package testkit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// races is the directory for the reports of the server's data races; empty when
// it is not built to look for them.
var races string

// ServerVariable names a server that is built already, for all packages that are tested
// together: "make test" sets it. To link one takes seconds, and for each package again.
const ServerVariable = "BUILT_SERVER"

// made is the directory of the server that this test process has compiled.
var made string

// build finds the server, or compiles it, once for the whole test process.
var build = sync.OnceValues(func() (string, error) {
	// Whatever the tests call is nobody's usage; those of the account say where to keep it.
	if err := os.Setenv("AIDB_NO_STORE", "true"); err != nil {
		return "", err
	}
	if bin := os.Getenv(ServerVariable); bin != "" && races == "" {
		return filepath.Abs(bin)
	}
	dir, err := os.MkdirTemp("", "aidb-testkit-")
	if err != nil {
		return "", err
	}
	made = dir
	bin := filepath.Join(dir, "aidb-mcp")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	args, cgo := []string{"build", "-o", bin}, "0" // as it is released
	if races != "" {
		// Races are looked for in our code: Delve reads a program's debug
		// information at a fraction of its speed when each of its reads is watched.
		args = append(args, "-race", "-gcflags=github.com/go-delve/...=-race=false")
		cgo = "1"
	}
	cmd := exec.Command("go", append(args, "./cmd/aidb-mcp")...)
	cmd.Dir, cmd.Env = Root(), append(os.Environ(), "CGO_ENABLED="+cgo)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the server: %w\n%s", err, out)
	}
	return bin, nil
})

// Binary is the path of the built server.
func Binary(t testing.TB) string {
	t.Helper()
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// install brings the debug adapters that are missing, once for the whole test process.
var install = sync.OnceValue(func() error {
	bin, err := build()
	if err != nil {
		return err
	}
	cmd := exec.Command(bin, "adapters", "install", "--all")
	cmd.Env = append(os.Environ(), "AIDB_HOME="+Home())
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("installing the adapters: %w\n%s", err, out)
	}
	return nil
})

// Adapters sees to it that every debug adapter is installed in Home.
func Adapters(t testing.TB) {
	t.Helper()
	if err := install(); err != nil {
		t.Fatal(err)
	}
}

// Main runs the tests of a package that uses Binary and removes what was built.
func Main(m *testing.M) int {
	fake()
	defer func() {
		if made != "" {
			_ = os.RemoveAll(made)
		}
		tellProcessor()
	}()
	return m.Run()
}

// Raced says that the server is to look for data races. The tests that drive it
// need not be slowed down by looking for their own.
func Raced() bool { return os.Getenv("AIDB_RACES") != "" }

// MainWithRaces is Main with a server that looks for data races where that is
// wanted, which is in the long run: one that it reports, in any of its processes,
// fails the package.
func MainWithRaces(m *testing.M) int {
	fake() // before there is a directory that an adapter which is killed would leave
	if !Raced() {
		return Main(m)
	}
	return mainWithRaces(m)
}

func mainWithRaces(m *testing.M) int {
	dir, err := os.MkdirTemp("", "aidb-races-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	races = dir
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0 log_path="+filepath.Join(dir, "race")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := Main(m)
	reports, _ := filepath.Glob(filepath.Join(dir, "race.*")) // the pattern is fine
	for _, report := range reports {
		if text, err := os.ReadFile(report); err == nil {
			fmt.Fprintf(os.Stderr, "a data race in the server:\n%s\n", text)
		}
		code = max(code, 1)
	}
	return code
}

// Root is the directory of this module.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// Home is where the debug adapters lie that "make adapters" has installed for
// the tests: AIDB_HOME, else .adapters in this module.
func Home() string {
	if home := os.Getenv("AIDB_HOME"); home != "" {
		return home
	}
	return filepath.Join(Root(), ".adapters")
}
