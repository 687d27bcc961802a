//go:build linux && amd64

package observe

import (
	"bufio"
	"bytes"
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
)

// program is one that serves orders for as long as somebody watches, in one language. All of
// them compute the same.
type program struct {
	source   string // "orders" where it is empty
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
	once, _ := built.LoadOrStore(p.file(), sync.OnceValues(p.compile))
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
	out := filepath.Join(folder, strings.ReplaceAll(filepath.Base(p.file()), ".", "-"))
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
	case errors.Is(err, ErrUnsupported) && isOld(t):
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

// isOld says that the kernel is older than 6.6.
func isOld(t *testing.T) bool {
	t.Helper()
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		t.Fatal(err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(release), "%d.%d", &major, &minor); err != nil {
		t.Fatal(err)
	}
	return major < 6 || major == 6 && minor < 6
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

// What is read at a line is what the program has there.
func TestValues(t *testing.T) {
	for _, p := range programs {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			r, may := arm(t, p.run(t), live.Spec{File: filepath.Base(p.file()), Line: p.line(t), Expressions: []string{p.sum, p.price, p.count, p.discount}})
			if !may {
				return
			}
			minus := 0
			if p.language == "go" { // its sum is without the discount already
				minus = 1
			}
			last := 0
			for _, row := range rows(t, r, 50) {
				v := values(t, row)
				if len(v) != 4 {
					t.Fatalf("not all was read: %+v", row)
				}
				if want := v[p.price]*v[p.count] - minus*v[p.discount]; v[p.sum] != want {
					t.Errorf("sum is %d, and price %d, count %d, discount %d", v[p.sum], v[p.price], v[p.count], v[p.discount])
				}
				if n := v[p.price] / 10; n <= last || v[p.count] != n%7 || v[p.discount] != n%3 {
					t.Errorf("order %d after %d: %v", n, last, v)
				} else {
					last = n
				}
			}
		})
	}
}

// A call and its end are one, and have what was given and what came.
func TestCalls(t *testing.T) {
	for _, p := range programs {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			r, may := arm(t, p.run(t), live.Spec{Functions: []string{p.total, p.serve}})
			if !may {
				return
			}
			open := map[int64]live.Row{}
			ended := 0
			for _, row := range rows(t, r, 100) {
				if row.Kind == live.Enter {
					open[row.Call] = row
					continue
				}
				began, is := open[row.Call]
				if !is {
					continue // before it was armed
				}
				if began.Function != row.Function || began.At >= row.At {
					t.Errorf("%+v has ended as %+v", began, row)
				}
				ended++
				if strings.HasSuffix(row.Function, "total") {
					checkTotal(t, p, began, row)
				}
			}
			if ended < 40 {
				t.Errorf("%d calls have ended", ended)
			}
		})
	}
}

// A call is noted once also where a loop jumps back to the beginning of the body.
func TestALoopIsNoCall(t *testing.T) {
	p := programs[0]
	r, may := arm(t, p.run(t), live.Spec{Functions: []string{"count"}})
	if !may {
		return
	}
	list := rows(t, r, 40)
	for i, row := range list[1:] {
		if row.Kind == live.Enter && list[i].Kind == live.Enter {
			t.Fatalf("two beginnings follow each other: %+v, %+v", list[i], row)
		}
	}
	for _, row := range list {
		if row.Kind == live.Enter && row.Values[0].Missing == "" {
			t.Errorf("at its very entry the argument is not stored yet, and it was read: %+v", row)
		}
	}
}

// checkTotal compares what a call of total gave with what it was given, as the object shows it.
func checkTotal(t *testing.T, p program, began, ended live.Row) {
	t.Helper()
	object := began.Values[0].Text
	number := func(after string) int {
		_, rest, found := strings.Cut(object, after)
		if !found {
			t.Fatalf("%s has no %s", object, after)
		}
		n, err := strconv.Atoi(strings.FieldsFunc(rest, func(c rune) bool { return c == ',' || c == '}' })[0])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	price, count := "price: ", "count: "
	if p.language == "go" {
		price, count = "Price: ", "Count: "
	}
	discount, gave := values(t, began)["discount"], values(t, ended)
	want := number(price)*number(count) - discount
	if p.language == "go" && want <= 0 {
		want = 0
		if err := ended.Values[1]; err.Name != "err" || err.Text != "not nil" {
			t.Errorf("the error is %+v", err)
		}
	}
	if gave[p.result] != want {
		t.Errorf("%s less %d gave %v, want %d", object, discount, ended.Values, want)
	}
}

// A condition is judged in the kernel; the hits without it are counted.
func TestCondition(t *testing.T) {
	for _, p := range programs {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			spec := live.Spec{File: filepath.Base(p.file()), Line: p.line(t), Expressions: []string{p.count, p.discount}}
			spec.Condition = fmt.Sprintf("%s == 3 && %s != 0", p.count, p.discount)
			r, may := arm(t, p.run(t), spec)
			if !may {
				return
			}
			for _, row := range rows(t, r, 10) {
				if v := values(t, row); v[p.count] != 3 || v[p.discount] == 0 {
					t.Errorf("the condition holds in %+v", row)
				}
			}
			if _, state := r.Read(0); state.Hits < 3*state.Matched || state.Unread > 0 {
				t.Errorf("the counts are %+v", state)
			}
		})
	}
}

// Texts are shown whole where they are short, and their lengths are right where not.
func TestTexts(t *testing.T) {
	want := map[string][]string{
		"c": {`nil`, `"tea"`, `"coffee"`}, "cpp": {`"tea"`, `"coffee"`, `"a very long name that has no room in the string itself"`},
		"rs": {`"tea"`, `"coffee"`}, "go": {`"tea"`},
	}
	name := map[string]string{"c": "o->item.name", "cpp": "this->item_.name", "rs": "self.item.name", "go": "o.Item.Name"}
	for _, p := range programs {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			r, may := arm(t, p.run(t), live.Spec{File: filepath.Base(p.file()), Line: p.line(t), Expressions: []string{name[p.language]}})
			if !may {
				return
			}
			seen := map[string]bool{}
			for _, row := range rows(t, r, 30) {
				seen[row.Values[0].Text] = true
			}
			for _, text := range want[p.language] {
				if !seen[text] {
					t.Errorf("%s was never seen, but %v", text, seen)
				}
			}
			if len(seen) != len(want[p.language]) {
				t.Errorf("seen were %v", seen)
			}
		})
	}
}

// A function of Go whose stack grows and moves is still one call with one end, and probes
// that are hit too often are taken out and say so.
func TestHotCallsAreTakenOut(t *testing.T) {
	p := programs[3]
	r, may := arm(t, p.run(t), live.Spec{Functions: []string{"main.deep"}, Most: 2000})
	if !may {
		return
	}
	for end := time.Now().Add(20 * time.Second); ; {
		rows, state := r.Read(10)
		for _, row := range rows {
			if row.Kind == live.Enter && (len(row.Values) != 1 || row.Values[0].Name != "n") {
				t.Fatalf("a call of deep: %+v", row)
			}
		}
		if state.Out != "" {
			if !strings.Contains(state.Out, "more than the 2000 that were allowed") || !state.Running {
				t.Errorf("it says %+v", state)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the probes are still there: %+v", state)
		}
	}
}

// What was armed leaves the program's code as it is in its file.
func TestNothingStays(t *testing.T) {
	for _, p := range programs {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			pid := p.run(t)
			before := text(t, pid)
			r, may := arm(t, pid, live.Spec{Functions: []string{p.total, p.serve}})
			if !may {
				return
			}
			rows(t, r, 20)
			if bytes.Equal(before, text(t, pid)) {
				t.Error("nothing is in its code while it is armed: this test sees nothing")
			}
			state := r.Close()
			if !state.Running || state.Hits == 0 {
				t.Errorf("it ends as %+v", state)
			}
			if !bytes.Equal(before, text(t, pid)) {
				t.Error("the code is not what it was")
			}
			if again := r.Close(); again.Hits != state.Hits {
				t.Errorf("closed twice it says %+v, and %+v before", again, state)
			}
		})
	}
}

// text is the code of a process's executable, as it is in its memory.
func text(t *testing.T, pid int) []byte {
	t.Helper()
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		t.Fatal(err)
	}
	defer maps.Close()
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to int64
		var rights string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &rights); err != nil || !strings.Contains(rights, "x") {
			continue
		}
		code := make([]byte, to-from)
		if _, err := memory.ReadAt(code, from); err != nil {
			t.Fatal(err)
		}
		return code
	}
	t.Fatal("it has no code")
	return nil
}

// The end of the program is noticed, and what was recorded can still be read.
func TestTheProgramEnds(t *testing.T) {
	p := programs[0]
	pid := p.run(t)
	r, may := arm(t, pid, live.Spec{Functions: []string{p.total}})
	if !may {
		return
	}
	for end := time.Now().Add(20 * time.Second); ; {
		if _, state := r.Read(0); state.Waiting > 10 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nothing was recorded")
		}
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := process.Wait(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; {
		list, state := r.Read(1000)
		if !state.Running && len(list) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("its end is not noticed: %+v", state)
		}
	}
}

// What cannot be recorded is refused in words that help.
func TestRefused(t *testing.T) {
	p := programs[0]
	pid := p.run(t)
	at := live.Spec{File: "orders.c", Line: p.line(t), Expressions: []string{"sum"}}
	for name, c := range map[string]struct {
		change func(*live.Spec)
		want   string
	}{
		"file":       {func(s *live.Spec) { s.File = "other.c" }, "no file other.c is part of it"},
		"line":       {func(s *live.Spec) { s.Line = 1 }, "there is no code at orders.c:1"},
		"variable":   {func(s *live.Spec) { s.Expressions = []string{"nix"} }, "nix: no variable nix is in reach there"},
		"field":      {func(s *live.Spec) { s.Expressions = []string{"o->nix"} }, "order has no field nix"},
		"call":       {func(s *live.Spec) { s.Expressions = []string{"f(o)"} }, "calls and computes nothing"},
		"arithmetic": {func(s *live.Spec) { s.Expressions = []string{"sum + 1"} }, "calls and computes nothing"},
		"index":      {func(s *live.Spec) { s.Expressions = []string{"o->city[16]"} }, "has 16 elements"},
		"condition":  {func(s *live.Spec) { s.Condition = "sum" }, "compares values with =="},
		"text":       {func(s *live.Spec) { s.Condition = "o->item.name == 0" }, "only whole numbers, truth values and pointers are compared"},
		"function":   {func(s *live.Spec) { *s = live.Spec{Functions: []string{"nix"}} }, "no function nix has code of its own"},
	} {
		spec := at
		c.change(&spec)
		r, err := Arm(t.Context(), pid, spec)
		if err == nil {
			r.Close()
			t.Errorf("%s: it was armed", name)
			continue
		}
		if errors.Is(err, ErrForbidden) && !hasRights(t) || errors.Is(err, ErrUnsupported) && isOld(t) {
			continue // the kernel was asked before that
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Arm(t.Context(), 1<<30, at); err == nil {
		t.Error("a process that is not there was armed")
	}
}
