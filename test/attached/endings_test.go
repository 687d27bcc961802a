//go:build linux

package attached

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/testkit"
)

// The limits for a program to go on: what is promised, and more where this test itself
// is served late by the machine.
const (
	goOnLimit = 2 * time.Second
	lateness  = 20                      // times as late as this test at worst
	latest    = 8 * time.Second         // and no more than that
	settling  = 500 * time.Millisecond  // for a breakpoint of which nothing is told
	calm      = time.Second             // for what was armed to go off, if something still is
	arriving  = 3 * time.Minute         // for a session to come into its state, on a full machine
	earliest  = 2500 * time.Millisecond // from the call that attaches, at most
	look      = time.Second             // at how it does then
	pace      = 20                      // passes of each thread in that time, at least
)

// Whatever ends a session that is attached to a program: the program goes on as if
// nobody had been there.
func TestEndings(t *testing.T) {
	testkit.Adapters(t)
	testkit.Binary(t)
	tally := &tally{}
	list := chosen()
	if len(list) > len(short()) {
		t.Cleanup(tally.print) // its tests are parallel, and go on when it has returned
	}
	byLanguage(t, t, list, tally)
}

// byLanguage runs cells under the names that -run takes: LANGUAGE/STATE/ENDING.
func byLanguage(root, t *testing.T, list []cell, tally *tally) {
	for _, l := range languages {
		mine := slices.DeleteFunc(slices.Clone(list), func(c cell) bool { return c.language != l })
		if len(mine) == 0 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			for _, s := range states {
				t.Run(string(s), func(t *testing.T) {
					for _, c := range mine {
						if c.state == s {
							t.Run(string(c.ending), func(t *testing.T) { try(root, t, c, tally) })
						}
					}
				})
			}
		})
	}
}

// try tries a cell, as often as it is wanted.
func try(root, t *testing.T, c cell, tally *tally) {
	c.program(root)
	for range *repeat {
		t.Run("", func(t *testing.T) {
			o := c.attempt(t)
			tally.add(c, o)
			switch {
			case len(o.harm) == 0:
				t.Logf("%v: went on after %v, longest wait %v", c, o.after.Round(time.Millisecond), o.longest.Round(time.Millisecond))
			case c.isPromised():
				t.Errorf("%v harms the program:\n%s", c, strings.Join(o.harm, "\n"))
			default:
				t.Logf("%v harms the program, as nothing else is promised:\n%s", c, strings.Join(o.harm, "\n"))
			}
		})
	}
}

// outcome is what became of a program.
type outcome struct {
	harm    []string
	after   time.Duration // the ending, until it went on
	longest time.Duration // wait for an answer
}

// attempt attaches to a new program, ends that and looks.
func (c cell) attempt(t *testing.T) (o outcome) {
	p := begin(t, c.language)
	defer p.end()
	before, err := changed(p.pid())
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, c)
	begun := time.Now()
	if err := c.enter(h, p); err != nil {
		t.Fatalf("%v is not reached: %v\n%s\nthe server's stderr:\n%s", c, err, p.death(), h.server.Stderr())
	}
	<-time.After(100 * time.Millisecond) // at no particular moment
	tracer := tracerOf(p.pid())
	var left []int // who may still come to the program, or be at work in it
	if c.state == early {
		left, _ = h.players()
	}
	ending := time.Now()
	if err := h.end(t, c, tracer); err != nil {
		o.harm = append(o.harm, err.Error())
	}
	ended := time.Now()
	if c.ending == byIdle || c.ending == byMemory { // which come when they come
		ending = ended
	}
	o.harm = append(o.harm, p.goesOn(ended, before, left)...)
	o.after, o.longest = p.longest(ending), p.longest(begun)
	return o
}

// enter brings the session into its state.
func (c cell) enter(h *host, p *production) error {
	args := A{"mode": "attach", "pid": p.pid(), "timeout_ms": 120_000}
	maps.Copy(args, c.attach)
	if c.traces {
		args["source_paths"] = []string{c.at.Dir}
	}
	want := "running"
	switch c.state {
	case early:
		args["breakpoints"], args["timeout_ms"] = []A{c.breakpoint(A{"log_message": "at {n}"})}, 2000
		go func() { _, _ = h.call("session_start", args) }()
		<-time.After(time.Duration(rand.Int64N(int64(earliest))))
		return nil
	case stopped:
		args["breakpoints"], want = []A{c.breakpoint(nil)}, "stopped_at_breakpoint"
	case watching:
		return c.enterWatch(h, args)
	case condition:
		args["breakpoints"] = []A{c.breakpoint(A{"condition": "n < 0"})}
	case logpoint:
		args["breakpoints"] = []A{c.breakpoint(A{"log_message": "at {n}"})}
	}
	if want == "running" {
		args["timeout_ms"] = 2000
	}
	if _, err := h.call("session_start", args); err != nil {
		return err
	}
	if c.isLate {
		<-time.After(settling)
	} else if c.state == condition || c.state == logpoint { // whose file may still be read
		if err := h.says(A{"action": "list"}, "breakpoint", `"verified":true`); err != nil {
			return err
		}
	}
	if err := h.comes(want); err != nil {
		return err
	}
	return p.isHeld(c.traces)
}

// isHeld waits until a debugger holds the program, or until what has put one into it by
// ptrace has let go: a session runs from the moment at which it has asked for the one, and
// while the other may still be at work.
func (p *production) isHeld(held bool) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(arriving); (tracerOf(p.pid()) != 0) != held; {
		select {
		case <-tick.C:
		case <-late:
			return fmt.Errorf("that a debugger holds it by ptrace: want %v", held)
		}
	}
	return nil
}

// enterWatch has it stop at a watchpoint, or at an exception.
func (c cell) enterWatch(h *host, args A) error {
	if c.watch == "" {
		args["exceptions"] = []string{"all"}
		if _, err := h.call("session_start", args); err != nil {
			return err
		}
		return h.comes("stopped_at_exception")
	}
	args["breakpoints"] = []A{c.breakpoint(nil)}
	if _, err := h.call("session_start", args); err != nil {
		return err
	}
	if err := h.comes("stopped_at_breakpoint"); err != nil { // an attach may be answered before that
		return err
	}
	for _, step := range []struct {
		tool string
		args A
	}{
		{"breakpoint", A{"action": "clear_all"}},
		{"breakpoint", A{"action": "watch", "name": c.watch}},
		{"execute", A{"timeout_ms": 60_000}},
	} {
		if _, err := h.call(step.tool, step.args); err != nil {
			return err
		}
	}
	return h.comes("stopped_at_breakpoint")
}

// comes waits until the session's status is this.
func (h *host) comes(status string) error {
	return h.says(A{"action": "status"}, "session", `"status":"`+status+`"`)
}

// says waits until the answer to a call has this in it.
func (h *host) says(args A, tool, want string) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(arriving); ; {
		text, err := h.call(tool, args)
		if err != nil {
			return err
		}
		if strings.Contains(text, want) {
			return nil
		}
		if strings.Contains(text, `"status":"terminated"`) {
			return fmt.Errorf("no %s in the answer to %s, and it is over: %s", want, tool, text)
		}
		select {
		case <-tick.C:
		case <-late:
			return fmt.Errorf("no %s in the answer to %s: %s", want, tool, text)
		}
	}
}

// goesOn says in what the program is not as it was, some time after the ending.
func (p *production) goesOn(ended time.Time, before []string, left []int) (harm []string) {
	var standing string
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	var busy crowd
	for then := p.pulse(); ; <-tick.C {
		busy.look()
		if death := p.death(); death != "" {
			return []string{death}
		}
		now := p.pulse()
		left = slices.DeleteFunc(left, process.Gone)
		standing = p.standing(then, now)
		if standing == "" && len(left) == 0 {
			break
		}
		if time.Since(ended) > min(busy.longer(goOnLimit)+now.mercy(), goOnLimit+latest) {
			harm = append(harm, fmt.Sprintf("%s, and %d are left of the session, %v after the end", cmp.Or(standing, "it goes on"), len(left), time.Since(ended).Round(time.Millisecond)))
			break
		}
	}
	<-time.After(calm)
	then := p.pulse()
	<-time.After(look + then.mercy()/4)
	if death := p.death(); death != "" {
		return append(harm, death)
	}
	harm = append(harm, p.changes(before)...)
	if by := held(p.pid()); by != "" { // once it was free
		harm = append(harm, by)
	}
	now := p.pulse()
	for i := range now.counts {
		if done := now.counts[i] - then.counts[i]; done < pace {
			harm = append(harm, fmt.Sprintf("thread %d has done %d passes in %v", i, done, look))
		}
	}
	if now.err != nil {
		harm = append(harm, now.err.Error())
	}
	if now.answered < then.asked {
		harm = append(harm, fmt.Sprintf("%d of %d requests were lost", then.asked-now.answered, then.asked))
	}
	return harm
}

// mercy is what a limit becomes longer by, because the machine is busy.
func (p pulse) mercy() time.Duration { return min(lateness*p.late, latest) }

// standing says what keeps the program from going on, of what can be seen now.
func (p *production) standing(then, now pulse) string {
	if by := held(p.pid()); by != "" {
		return by
	}
	for i := range now.counts {
		if now.counts[i] <= then.counts[i] {
			return fmt.Sprintf("thread %d does nothing", i)
		}
	}
	if now.answered < then.asked {
		return fmt.Sprintf("%d requests wait", then.asked-now.answered)
	}
	return ""
}

// changes are those to its text.
func (p *production) changes(before []string) []string {
	places, err := changed(p.pid())
	if err != nil {
		return []string{"its text cannot be read: " + err.Error()}
	}
	places = slices.DeleteFunc(places, func(place string) bool { return slices.Contains(before, place) })
	if n := len(places); n > 5 {
		places = append(places[:5], fmt.Sprintf("and %d more", n-5))
	}
	for i := range places {
		places[i] = "its text is changed: " + places[i]
	}
	return places
}

// tracerOf is who traces a process, 0 when nobody does.
func tracerOf(pid int) (tracer int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "TracerPid:")
	_, _ = fmt.Sscan(rest, &tracer)
	return tracer
}

// tally counts what became of programs.
type tally struct {
	mu   sync.Mutex
	rows map[cell][]outcome
}

func (t *tally) add(c cell, o outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows == nil {
		t.rows = map[cell][]outcome{}
	}
	t.rows[c] = append(t.rows[c], o)
}
