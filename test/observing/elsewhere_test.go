//go:build linux && amd64

package observing

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// A program whose file was built anew while it runs is recorded as it was: the kernel's probes
// are in the file that it runs, and the places are that one's.
func TestReplaced(t *testing.T) {
	t.Parallel()
	p := programs[0]
	dir, process := p.start(t, 1000)
	exe := filepath.Join(dir, "orders")
	if err := os.Remove(exe); err != nil { // as linkers do
		t.Fatal(err)
	}
	source := filepath.Join(dir, p.file)
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "int main(", "static int more(int n) { return n * 3; }\nint main(", 1)
	if err := os.WriteFile(source, []byte("\n\n\n"+changed), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command(p.build[0], p.build[1:]...)
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, text)
	}
	s := testkit.Start(t, testkit.Options{Dir: dir})
	s.OK("session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true}}).
		Contains([]string{"data", "warnings"}, "orders was deleted or built again since process "+strconv.Itoa(process.Pid)+" was started")
	if !mayObserve(t, s, p) {
		return
	}
	armed := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}})
	rows, _ := await(t, s, armed.At("data", "id"), 5)
	for i, row := range rows {
		if i == 0 && row[4] == "(it began before)" { // the call that was under way as this was armed
			continue
		}
		if row[0] != p.file+":26" || !strings.Contains(row[4], "discount=") || row[5] == "" { // where it is in what runs
			t.Fatalf("a row is %q", row)
		}
	}
	s.OK("session", A{"action": "stop"})
	goesOn(t, process)
	isWhole(t, process)
}

// A program in another mount namespace, whose file is at no path of ours.
func TestOtherMounts(t *testing.T) {
	t.Parallel()
	p := programs[0]
	dir, _ := p.start(t, 100_000)
	unseen := t.TempDir()
	cmd := exec.Command("unshare", "--mount", "sh", "-c", `mount -t tmpfs none "$1" && cp orders "$1/orders" && exec "$1/orders" 1000`, "sh", unseen)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) { // another's program has to begin
		if exe, err := os.Readlink("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/exe"); err == nil && exe == filepath.Join(unseen, "orders") {
			break
		}
		if hasEnded(cmd) || time.Now().After(end) {
			t.Skip("this user may make no mount namespace")
		}
	}
	s := testkit.Start(t, testkit.Options{Dir: dir})
	observe(t, s, cmd.Process)
	if !mayObserve(t, s, p) {
		return
	}
	armed := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}})
	rows, _ := await(t, s, armed.At("data", "id"), 5)
	for _, row := range rows {
		if row[0] != p.file+":26" || row[5] == "" {
			t.Fatalf("a row is %q", row)
		}
	}
	s.OK("session", A{"action": "stop"})
	goesOn(t, cmd.Process)
	isWhole(t, cmd.Process)
}

// hasEnded says that a command has ended.
func hasEnded(cmd *exec.Cmd) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}
