//go:build linux && amd64

package observe

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/testkit"
)

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
		if errors.Is(err, ErrForbidden) && !hasRights(t) || errors.Is(err, ErrUnsupported) && testkit.IsKernelBefore(t, 6, 6) {
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

// While the probes are put in one after another the program goes on: a call whose beginning
// is seen must not be able to end unseen.
func TestEndsAreArmedFirst(t *testing.T) {
	r := &Recorder{places: []armed{{kind: live.Enter}, {kind: live.Leave}, {kind: live.Pass}, {kind: live.Leave}, {kind: live.Enter}}}
	if order := r.endsFirst(); !slices.Equal(order, []int{1, 3, 0, 2, 4}) {
		t.Errorf("in the order %v", order)
	}
}
