package observe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/arch/x86/x86asm"

	"aidb-mcp/adapters/observe/fetch"
	"aidb-mcp/adapters/observe/image"
	"aidb-mcp/internal/recording/live"
)

// armed is a place with a probe.
type armed struct {
	image.Place
	kind   live.Kind
	offset uint64 // of the instruction in the file
	shapes []fetch.Shape
	steps  bool // the kernel has to step the instruction, which is dear
	stack  int  // where it begins in a record; 0: it is not noted
	leaves bool // a call that begins here may end in a jump to another function
}

// condition is that of the spec where it can be judged: a function's at its beginning.
func (a *armed) condition(spec live.Spec) string {
	if a.kind == live.Leave {
		return ""
	}
	return spec.Condition
}

// subject is the program that is observed.
type subject struct {
	pid    int
	image  *image.Image
	others []mapping // what else is in the program's memory
	bias   uint64    // where the image lies in memory
	goid   int64     // where a goroutine has its number; -1 in other languages
}

// openSubject reads the executable of a process. Its image must be closed.
func openSubject(pid int) (s subject, err error) {
	im, err := image.Open(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return s, fmt.Errorf("reading the executable of process %d: %w", pid, err)
	}
	s = subject{pid: pid, image: im, goid: -1}
	if im.Moves() {
		s.bias, err = loadBias(pid)
	}
	if err == nil && im.IsGo {
		s.goid, err = im.FieldOffset("runtime.g", "goid")
	}
	if err != nil {
		_ = im.Close() // the error says more
	}
	return s, err
}

// located are the places in a program.
type located struct {
	subject
	list []armed
}

// find finds where the probes are put.
func find(pid int, spec live.Spec) (located, error) {
	s, err := openSubject(pid)
	if err != nil {
		return located{}, err
	}
	l := located{subject: s}
	if err := l.fill(spec); err != nil {
		_ = s.image.Close() // the error says more
		return located{}, err
	}
	return l, nil
}

func (l *located) fill(spec live.Spec) (err error) {
	if spec.File != "" {
		err = l.addLine(spec)
	} else {
		err = l.addFunctions(spec)
	}
	if err != nil {
		return err
	}
	if len(l.list) > mostProbes {
		return fmt.Errorf("that are %d places, and at most %d can be watched at once: name fewer functions", len(l.list), mostProbes)
	}
	return nil
}

func (l *located) addLine(spec live.Spec) error {
	places, err := l.image.Lines(spec.File, spec.Line)
	if err != nil {
		return err
	}
	for _, p := range places {
		if err := l.add(p, live.Pass); err != nil {
			return err
		}
	}
	return nil
}

func (l *located) addFunctions(spec live.Spec) error {
	for _, name := range spec.Functions {
		functions := l.image.Named(name)
		if len(functions) == 0 {
			return fmt.Errorf("no function %s has code of its own in this program: it is not part of it, or all its calls were inlined", name)
		}
		for _, f := range functions {
			body, err := l.body(f)
			if err != nil {
				return err
			}
			if err := l.add(body, live.Enter); err != nil {
				return err
			}
			returns, leaves, err := l.image.Returns(f)
			if err != nil {
				return err
			}
			l.list[len(l.list)-1].leaves = leaves
			for _, pc := range returns {
				if err := l.add(image.Place{PC: pc, File: body.File, Line: body.Line, Function: f}, live.Leave); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// body is the place where a call is noted: of those where the function's body may be taken to
// begin the first at which most of its arguments can be found.
func (l *located) body(f *image.Function) (image.Place, error) {
	places, err := l.image.Bodies(f)
	if err != nil {
		return image.Place{}, err
	}
	arguments, _, err := l.image.Arguments(f)
	if err != nil {
		return image.Place{}, err
	}
	best, most := places[0], -1
	for _, p := range places {
		found := 0
		for _, a := range arguments {
			if _, err := l.image.Find(a.Name, p); err == nil {
				found++
			}
		}
		if found > most {
			best, most = p, found
		}
	}
	return best, nil
}

func (l *located) add(p image.Place, k live.Kind) error {
	offset, err := l.image.Offset(p.PC)
	if err != nil {
		return err
	}
	a := armed{Place: p, kind: k, offset: offset, steps: true}
	of := l.image.FunctionAt(p.PC) // which may be a part of it that lies elsewhere
	if of == nil {
		return fmt.Errorf("no function is at %#x", p.PC)
	}
	code, err := l.image.Code(of)
	if err != nil {
		return err
	}
	if in, err := x86asm.Decode(code[p.PC-of.Low:], 64); err == nil {
		a.steps = !slices.Contains(emulated, in.Op)
	}
	l.list = append(l.list, a)
	return nil
}

// emulated are the instructions that the kernel does itself, without stepping the program.
var emulated = []x86asm.Op{x86asm.NOP, x86asm.PUSH, x86asm.CALL, x86asm.JMP, x86asm.JE, x86asm.JNE, x86asm.JA, x86asm.JAE, x86asm.JB, x86asm.JBE, x86asm.JG, x86asm.JGE, x86asm.JL, x86asm.JLE, x86asm.JS, x86asm.JNS}

// The costs of a hit, as they were measured, and how many a second are allowed for them: a
// tenth of a processor.
const (
	emulatedCost, emulatedMost = "1 to 3 µs", 100_000
	steppedCost, steppedMost   = "12 to 30 µs", 10_000
)

// cost says what a hit costs the program, and how many a second are allowed.
func cost(places []armed, most int) (how string, allowed int) {
	of, allowed := emulatedCost, emulatedMost
	if slices.ContainsFunc(places, func(a armed) bool { return a.steps }) {
		of, allowed = steppedCost, steppedMost
	}
	if most > 0 {
		allowed = most
	}
	n := "a probe"
	if len(places) > 1 {
		n = strconv.Itoa(len(places)) + " probes"
	}
	return fmt.Sprintf("%s in the kernel (uprobes, eBPF): a hit costs the program %s; above %s hits a second they are taken out", n, of, grouped(allowed)), allowed
}

// grouped is a number with its thousands apart.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return strings.TrimSpace(text)
}

// pairs finds the call that a return belongs to.
type pairs struct {
	next int64
	open map[string][]call
}

type call struct {
	number   int64
	frame    uint64
	function *image.Function
}

// mostOpen calls are kept in mind of each thread or goroutine.
const mostOpen = 1000

// pair is the number of the call that a record is of; 0 where its beginning was not seen.
func (p *pairs) pair(of *armed, r fetch.Record) int64 {
	if of.kind == live.Pass {
		return 0
	}
	who := fmt.Sprintf("%d/%d", r.Task(), r.Thread())
	if r.Task() != 0 {
		who = fmt.Sprintf("%d", r.Task()) // a goroutine changes its thread
	}
	if p.open == nil {
		p.open = map[string][]call{}
	}
	stack := p.open[who]
	if of.kind == live.Enter {
		p.next++
		if len(stack) == mostOpen {
			stack = stack[1:]
		}
		p.open[who] = append(stack, call{number: p.next, frame: r.Frame(), function: of.Function})
		return p.next
	}
	for i, call := range slices.Backward(stack) {
		if call.frame == r.Frame() {
			p.open[who] = stack[:i] // what was called within has ended otherwise
			return call.number
		}
	}
	if n := len(stack); r.Task() != 0 && n > 0 && stack[n-1].function == of.Function { // its stack has moved since
		p.open[who] = stack[:n-1]
		return stack[n-1].number
	}
	return 0 // it began before
}
