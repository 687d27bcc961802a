//go:build linux && amd64

package observe

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cilium/ebpf"

	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/testkit"
)

// program is one that serves orders for as long as somebody watches, in one language. All of
// them compute the same.
type program struct {
	source   string // "orders" where it is empty
	name     string // of what is built, where a source is built in several ways
	language string
	build    []string // OUT and FILE are filled in
	// line is where the sum of an order is known, and sum, price, count, discount are what
	// is read there.
	mark                        string // a part of the line
	sum, price, count, discount string
	total, serve                string // functions
	result                      string // the name of what total gives
}

var programs = []program{
	{language: "c", build: []string{"gcc", "-g", "-O0", "-o", "OUT", "FILE"}, mark: "sum -= discount", sum: "sum", price: "o->item.price", count: "o->item.count", discount: "discount", total: "total", serve: "serve", result: "result"},
	{language: "cpp", build: []string{"g++", "-std=c++17", "-g", "-O0", "-o", "OUT", "FILE"}, mark: "return sum - discount", sum: "sum", price: "this->item_.price", count: "this->item_.count", discount: "discount", total: "shop::Order::total", serve: "shop::Order::serve", result: "result"},
	{language: "rs", build: []string{"rustc", "-g", "-o", "OUT", "FILE"}, mark: "sum - discount", sum: "sum", price: "self.item.price", count: "self.item.count", discount: "discount", total: "Order::total", serve: "Order::serve", result: "result"},
	{language: "go", build: []string{"go", "build", "-gcflags=-N -l", "-o", "OUT", "FILE"}, mark: "if sum <= 0 {", sum: "sum", price: "o.Item.Price", count: "o.Item.Count", discount: "discount", total: "main.total", serve: "main.(*order).serve", result: "sum"},
}

// built are the programs that were built, once each.
var built sync.Map

// run builds a program and starts it. It serves an order every millisecond.
func (p program) run(t *testing.T) (pid int) {
	t.Helper()
	once, _ := built.LoadOrStore(p.file()+p.name, sync.OnceValues(p.compile))
	path, err := once.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for end := time.Now().Add(10 * time.Second); ; { // a program is started before it is in its memory
		if maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", cmd.Process.Pid)); err == nil && strings.Contains(string(maps), path) {
			return cmd.Process.Pid
		}
		if time.Now().After(end) {
			t.Fatal("the program does not begin")
		}
	}
}

// folder is where programs are built; TestMain removes it.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "observe-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

func (p program) file() string {
	path, _ := filepath.Abs("testdata/" + cmp.Or(p.source, "orders") + "." + p.language)
	return path
}

func (p program) compile() (string, error) {
	out := filepath.Join(folder, strings.ReplaceAll(filepath.Base(p.file())+p.name, ".", "-"))
	args := append([]string{}, p.build...)
	for i, a := range args {
		args[i] = strings.NewReplacer("OUT", out, "FILE", p.file()).Replace(a)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", p.file(), err, text)
	}
	return out, nil
}

// line is the number of the line with the mark.
func (p program) line(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(p.file())
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, p.mark) {
			return i + 1
		}
	}
	t.Fatalf("no line of %s has %q", p.file(), p.mark)
	return 0
}

// arm arms a recorder, which ends with the test. Where this machine does not let anybody
// observe, the test is that it says so rightly: mayObserve is then false.
func arm(t *testing.T, pid int, spec live.Spec) (r *Recorder, mayObserve bool) {
	t.Helper()
	r, err := Arm(t.Context(), pid, spec)
	switch {
	case errors.Is(err, ErrForbidden) && !hasRights(t):
		return nil, false
	case errors.Is(err, ErrUnsupported) && testkit.IsKernelBefore(t, 6, 6):
		return nil, false
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r, true
}

// The rights that it takes, as bits of the kernel's sets.
const (
	sysAdmin = 1 << 21
	perfmon  = 1 << 38
	bpf      = 1 << 39
)

// hasRights says what the system says of this process's rights, and whether the kernel makes
// a map for it: a filter of system calls may forbid what the rights allow.
func hasRights(t *testing.T) bool {
	t.Helper()
	m, err := ebpf.NewMap(&ebpf.MapSpec{Type: ebpf.Array, KeySize: 4, ValueSize: 8, MaxEntries: 1})
	if err != nil {
		return false
	}
	_ = m.Close() // it was only tried
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if set, is := strings.CutPrefix(line, "CapEff:"); is {
			bits, err := strconv.ParseUint(strings.TrimSpace(set), 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			return bits&sysAdmin != 0 || bits&bpf != 0 && bits&perfmon != 0
		}
	}
	return false
}

// rows reads until there are so many.
func rows(t *testing.T, r *Recorder, n int) (list []live.Row) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); len(list) < n; {
		more, state := r.Read(1000)
		list = append(list, more...)
		if time.Now().After(end) || state.Out != "" {
			t.Fatalf("only %d rows came: %+v", len(list), state)
		}
	}
	return list
}

// values are the values of a row as numbers, by their names.
func values(t *testing.T, r live.Row) map[string]int {
	t.Helper()
	list := map[string]int{}
	for _, v := range r.Values {
		n, err := strconv.Atoi(v.Text)
		if v.Missing != "" || err != nil {
			continue
		}
		list[v.Name] = n
	}
	return list
}
