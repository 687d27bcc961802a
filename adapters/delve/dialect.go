package delve

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/pattern"
)

// dialect is how Delve departs from the protocol's plain word, wherever its
// process runs.
type dialect struct {
	entry  string
	tests  *testRun // of a test binary, else nil
	joined bool     // the program ran before it was debugged

	packages packageNames
}

// local is the dialect of our own process, which can do more: see capabilities.go.
type local struct{ dialect }

// Initialize sets what Delve insists on.
func (*dialect) Initialize(args *godap.InitializeRequestArguments) {
	args.AdapterID = "go"
	args.PathFormat = "path"
	args.LinesStartAt1, args.ColumnsStartAt1 = true, true
	args.SupportsVariableType = true
	args.SupportsVariablePaging = true
	args.SupportsMemoryReferences = true
}

// Filters: uncaught is every panic that ends the program, every fatal error of
// the runtime, and in a test binary every failure of a test; all adds panics
// that are recovered from.
func (d *dialect) Filters(choice []string, advertised []godap.ExceptionBreakpointsFilter) ([]string, error) {
	var known []string
	for _, f := range advertised {
		known = append(known, f.Filter)
	}
	filters := []string{} // an empty list clears them
	add := func(names ...string) {
		for _, name := range names {
			if slices.Contains(known, name) && !slices.Contains(filters, name) {
				filters = append(filters, name)
			}
		}
	}
	for _, name := range choice {
		switch {
		case name == "none":
		case name == "uncaught":
			add("unrecovered-panic", "runtime-fatal-throw")
			if d.tests != nil {
				add(wire.TestFailure)
			}
		case name == "all":
			add(known...)
		case slices.Contains(known, name):
			add(name)
		default:
			return nil, fault.New(fault.InvalidParam, "Delve has no exception filter %q", name).WithField("exceptions").
				WithHint("use uncaught, all, none, or among %s", strings.Join(known, ", "))
		}
	}
	return filters, nil
}

// Entry: Delve's own entry stop is before the Go runtime has started, where
// nothing can be seen and no step works.
func (d *dialect) Entry() string { return d.entry }

// Internal says that of the standard library, of dependencies and of generated code.
func (*dialect) Internal(frame godap.StackFrame) bool {
	if frame.Source == nil {
		return true
	}
	return gosrc.Library(frame.Name, frame.Source.Path)
}

// threadName matches "* [Go 7 kind:x] main.worker (Thread 23890)".
var threadName = pattern.New(`^\*?\s*\[Go \d+(?: [^\]]*)?\] (.*?)(?: \(Thread \d+\))?$`)

// ThreadName leaves the function.
func (*dialect) ThreadName(t godap.Thread) string {
	if m := threadName.FindStringSubmatch(t.Name); m != nil {
		return m[1]
	}
	return t.Name
}

// Signal: Delve reports a signal as the exit code of its negative number.
func (*dialect) Signal(exitCode int) string {
	if exitCode >= 0 {
		return ""
	}
	sig := syscall.Signal(-exitCode)
	if name := signalName(sig); name != "" {
		return fmt.Sprintf("%s (%s)", name, sig)
	}
	return sig.String()
}

// Truth fails for what is no bool: nothing else is true or false in Go.
func (*dialect) Truth(expr string) string { return "!!(" + expr + ")" }

// bookkeeping matches the values of package testing that every test carries.
var bookkeeping = pattern.New(`^\*testing\.[TBF] \{`)

// Variables names what a pointer points to, counts results of a call, and shows
// numbers once and slices without the sizes that their elements tell. It leaves out the length of maps, which is known, and the
// nameless results of a frame, which hold leftovers until the function returns.
func (*dialect) Variables(parent string, vars []godap.Variable) []godap.Variable {
	frame := strings.HasPrefix(parent, "Locals") // Delve adds a warning to the scope of an optimized function
	vars = slices.DeleteFunc(slices.Clone(vars), func(v godap.Variable) bool {
		return v.Name == "len()" && strings.HasPrefix(v.EvaluateName, "len(") || frame && strings.HasPrefix(v.Name, "~r")
	})
	for i := range vars {
		v := &vars[i]
		switch {
		case v.Name == "":
			v.Name = "*"
		case strings.HasPrefix(v.Name, "~r"):
			v.Name = resultName(v.Name)
		}
		if _, value, ok := strings.Cut(v.Type, ": "); ok { // of a map's entry, after the key's
			v.Type = value
		}
		v.Value = sortMaps(tidyValue(v.Value))
		if bookkeeping.MatchString(v.Value) {
			v.Value = v.Type + " {...}"
		}
		v.Value = number(v.Value, v.Type)
		v.Type = typeBesideNil(v.Type, v.Value)
	}
	if areMapEntries(vars) {
		slices.SortStableFunc(vars, func(a, b godap.Variable) int { return compareKeys(a.Name, b.Name) })
	}
	return vars
}

// dynamic finds the type of an interface before that of the value in it, as Delve writes them.
var dynamic = pattern.New(`^(interface \{.*\}|[^\s()]+)\(.+\)$`)

// typeBesideNil is the type to tell beside a value: where an interface holds nil of a type, and so
// is not nil itself, the value tells that type, and is not shown without it.
func typeBesideNil(typ, value string) string {
	if value != typ+" nil" {
		return typ
	}
	if m := dynamic.FindStringSubmatch(typ); m != nil && m[1] != "func" {
		return m[1]
	}
	return typ
}

var _ adapters.Dialect = (*dialect)(nil)

// resultName is the name of a nameless result, which the compiler counts from 0.
func resultName(name string) string {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "~r"))
	if err != nil {
		return name
	}
	return fmt.Sprintf("result %d", n+1)
}
