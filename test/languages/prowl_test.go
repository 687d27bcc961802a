//go:build linux

package languages

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// prowlCommand makes a prowler of the test binary; see TestMain.
const prowlCommand = "prowl"

// rest is what comes after a look, so that prowlers do not keep the processors from what
// they look at.
func rest(begun time.Time) { time.Sleep(3 * time.Since(begun)) }

// prowl looks for a way into a directory again and again, and knocks at each
// socket that it is told of on its standard input, until that ends. It prints
// where it got in.
func prowl(dir string) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			knock([]string{lines.Text()})
		}
	}()
	told := map[string]bool{}
	for last := false; !last; {
		select {
		case <-over:
			last = true
		default:
		}
		begun := time.Now()
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if how := entered(path, e, err); how != "" && path != dir && !told[path] {
				told[path] = true
				fmt.Println(how, path)
			}
			return nil
		})
		rest(begun)
	}
}

// entered says what another user can do with an entry of a directory; empty:
// nothing but see its name.
func entered(path string, e fs.DirEntry, err error) string {
	if err != nil || e.Type()&fs.ModeSymlink != 0 {
		return ""
	}
	if e.IsDir() {
		if _, err := os.ReadDir(path); err == nil {
			return "listed"
		}
		if os.Mkdir(filepath.Join(path, "intruder"), 0o700) == nil {
			return "wrote into"
		}
		return ""
	}
	for how, flags := range map[string]int{"read": os.O_RDONLY, "wrote": os.O_WRONLY} {
		if f, err := os.OpenFile(path, flags|syscall.O_NONBLOCK, 0); err == nil {
			f.Close()
			return how
		}
	}
	return ""
}

// Another user, who is there before the first session starts and as long as it
// lasts, gets into none of its files and sockets.
func TestNobodyGetsInDuringAStart(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	needsRoot(t)
	open, intruder := openDirectory(t)
	for _, l := range languages {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			l.once(t)
			if l.Name == "rust" {
				testkit.Long(t, "its debugger is started as that of "+l.Again)
			}
			tmp := filepath.Join(open, l.Name)
			if err := os.Mkdir(tmp, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(tmp, 0o777|os.ModeSticky); err != nil {
				t.Fatal(err)
			}
			p := l.common(t)
			cmd := exec.Command(intruder, prowlCommand, tmp)
			cmd.Dir = open
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			tell, err := cmd.StdinPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			server := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: append([]string{"TMPDIR=" + tmp}, l.Env...)})
			s := &subject{Server: server, language: l, Program: p, t: t}
			stopped, told := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(told)
				known := map[string]bool{}
				for last := false; !last; {
					select {
					case <-stopped:
						last = true
					default:
					}
					begun := time.Now()
					for _, address := range listening(server.PID()) {
						if !known[address] {
							known[address] = true
							fmt.Fprintln(tell, address)
						}
					}
					rest(begun)
				}
			}()
			s.stop("calls", "nested")
			close(stopped)
			<-told
			tell.Close()
			if err := cmd.Wait(); err != nil || out.Len() > 0 {
				t.Errorf("another user: %s%v", &out, err)
			}
			s.OK("inspect", A{"target": "stack"})
			s.OK("session", A{"action": "stop"})
		})
	}
}

// needsRoot fails a test that becomes another user where it may not.
func needsRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("only root can be another user: run the tests as root, as CI does")
	}
}

// openDirectory is one that everybody can enter, with this binary in it.
func openDirectory(t *testing.T) (dir, binary string) {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "knock")
	if err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(dir, "intruder")
	text, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(binary, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, binary
}
