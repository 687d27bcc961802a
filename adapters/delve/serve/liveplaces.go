//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"errors"
	"fmt"
	"go/parser"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"

	"aidb-mcp/adapters/delve/wire"
)

// refusedOrder is an order that cannot be carried out whatever program it is.
type refusedOrder struct{ why string }

func (e *refusedOrder) Error() string { return e.why }

func refuse(format string, a ...any) error { return &refusedOrder{fmt.Sprintf(format, a...)} }

// arm sets the breakpoints of the order.
func (l *liveRecorder) arm(t *target) error {
	for _, text := range append(slices.Clone(l.order.Expressions), l.order.Condition, l.order.Written) {
		if _, err := parser.ParseExpr(text); text != "" && err != nil {
			return refuse("%s is no expression: %v", text, err)
		}
	}
	switch {
	case l.order.Written != "":
		return l.armWrites(t)
	case l.order.File != "":
		return l.armLine(t)
	case l.order.Condition != "":
		return refuse("calls are recorded by a debugger without a condition")
	}
	return l.armCalls(t)
}

// set has the program stop at an address.
func (l *liveRecorder) set(address uint64, note func(*target, proc.Thread)) error {
	if l.points[address] != nil {
		return nil
	}
	if _, err := l.dbg.CreateBreakpoint(&api.Breakpoint{Addrs: []uint64{address}}, "", nil, false); err != nil {
		return fmt.Errorf("setting a breakpoint at %#x: %w", address, err)
	}
	l.points[address] = &point{note}
	return nil
}

// armLine is for values at a line.
func (l *liveRecorder) armLine(t *target) error {
	file := sourceNamed(t.BinInfo().Sources, filepath.ToSlash(l.order.File))
	pcs, err := proc.FindFileLocation(t, file, l.order.Line)
	if err != nil || len(pcs) == 0 {
		near, _ := lines(t, wire.LinesArgs{File: file, Line: l.order.Line, Count: 2})
		if len(near.Lines) > 0 {
			return refuse("%s:%d has no code in the program: lines near it that have are %s", filepath.Base(l.order.File), l.order.Line, strings.Trim(fmt.Sprint(near.Lines), "[]"))
		}
		return refuse("%s:%d has no code in the program", filepath.Base(l.order.File), l.order.Line)
	}
	for _, pc := range pcs {
		for _, way := range append(waysTo(t.Target, pc), pc) {
			if err := l.set(way, l.passes); err != nil {
				return err
			}
		}
	}
	return nil
}

// sourceNamed is what the program calls a file: itself, or where it was built elsewhere or with
// -trimpath, the one whose path ends alike.
func sourceNamed(sources []string, file string) string {
	if slices.Contains(sources, file) {
		return file
	}
	best, length, isUnique := file, 0, false
	parts := strings.Split(file, "/")
	for _, s := range sources {
		of, n := strings.Split(s, "/"), 0
		for n < len(of) && n < len(parts) && of[len(of)-1-n] == parts[len(parts)-1-n] {
			n++
		}
		switch {
		case n > length:
			best, length, isUnique = s, n, true
		case n == length:
			isUnique = false
		}
	}
	if length == 0 || !isUnique {
		return file
	}
	return best
}

// armCalls is for calls of functions.
func (l *liveRecorder) armCalls(t *target) error {
	found := 0
	for _, name := range l.order.Functions {
		list, wholly := named(t.BinInfo(), name)
		switch {
		case wholly:
			return refuse("all calls of %s were inlined: it has no code of its own", name)
		case len(list) == 0:
			return l.unknownFunction(t, name)
		}
		for _, fn := range list {
			if found++; found > mostFunctions {
				return refuse("more than %d functions are meant", mostFunctions)
			}
			if err := l.armCall(t, fn); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostFunctions is how many may be meant.
const mostFunctions = 200

func (l *liveRecorder) unknownFunction(t *target, name string) error {
	near, _ := functions(t, wire.FunctionsArgs{Name: name, Count: 4})
	if len(near.Functions) > 0 {
		return refuse("nothing in the program is called %s; there are %s", name, strings.Join(near.Functions, ", "))
	}
	return refuse("nothing in the program is called %s", name)
}

// named are the functions with code of a name, or of one that ends with it; wholly: there are some,
// and none has code.
func named(bin *proc.BinaryInfo, name string) (list []*proc.Function, wholly bool) {
	inlined := false
	for i := range bin.Functions {
		fn := &bin.Functions[i]
		if fn.Name != name && !strings.HasSuffix(fn.Name, "."+name) && !strings.HasSuffix(fn.Name, "/"+name) || fn.Trampoline {
			continue
		}
		if fn.Entry == 0 {
			inlined = true
			continue
		}
		list = append(list, fn)
	}
	return list, inlined && len(list) == 0
}

// armCall has the program stop where a function's body begins, for its entry runs again when the
// stack grows, and where it returns.
func (l *liveRecorder) armCall(t *target, fn *proc.Function) error {
	body, err := proc.FirstPCAfterPrologue(t.Process, fn, false)
	if err != nil {
		return fmt.Errorf("finding where the body of %s begins: %w", fn.Name, err)
	}
	if err := l.set(body, func(t *target, th proc.Thread) { l.enters(t, th, fn) }); err != nil {
		return err
	}
	code, err := proc.Disassemble(t.Memory(), nil, t.Breakpoints(), t.BinInfo(), fn.Entry, fn.End)
	if err != nil {
		return fmt.Errorf("reading the code of %s: %w", fn.Name, err)
	}
	for _, i := range code {
		if !i.IsRet() {
			continue
		}
		if err := l.set(i.Loc.PC, func(t *target, th proc.Thread) { l.leaves(t, th, fn) }); err != nil {
			return err
		}
	}
	return nil
}

// armWrites watches a variable that stays where it is.
func (l *liveRecorder) armWrites(t *target) error {
	scope, err := t.scope(-1, 0)
	if err != nil {
		return err
	}
	text := l.order.Written
	if isLocal(scope, rootOf(text)) {
		return refuse("%s is a local variable there, which has a place only while its function runs", rootOf(text))
	}
	v, err := scope.EvalExpression(text, overview)
	if err != nil {
		if q, other := scope.EvalExpression("main."+text, overview); other == nil {
			text, v, err = "main."+text, q, nil
		}
	}
	switch {
	case err != nil:
		return refuse("%s cannot be read: %v", l.order.Written, err)
	case v.Addr == 0 || v.DwarfType == nil || !slices.Contains([]int64{1, 2, 4, 8}, v.DwarfType.Size()):
		return refuse("%s is no variable of 1, 2, 4 or 8 bytes: name a part of it", l.order.Written)
	}
	look := fmt.Sprintf("*(*%q)(%#x)", v.TypeString(), v.Addr)
	if _, err := l.dbg.CreateWatchpoint(-1, 0, 0, text, api.WatchWrite); err != nil {
		return refuse("%s cannot be watched: %v", l.order.Written, err)
	}
	l.last = l.seen(t, scope, look)
	l.points[v.Addr] = &point{func(t *target, th proc.Thread) { l.written(t, th, look) }}
	return nil
}

func isLocal(scope *proc.EvalScope, name string) bool {
	if name == "" {
		return false
	}
	for _, list := range []func(proc.LoadConfig) ([]*proc.Variable, error){scope.LocalVariables, scope.FunctionArguments} {
		vars, err := list(proc.LoadConfig{})
		if err == nil && slices.ContainsFunc(vars, func(v *proc.Variable) bool { return v.Name == name }) {
			return true
		}
	}
	return false
}

var errNotTruth = errors.New("it is no truth value")
