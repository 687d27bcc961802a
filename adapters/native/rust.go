package native

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/binary"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/dap"
	"aidb-mcp/internal/text/pattern"
)

// rustDialect puts what LLDB says of a Rust program as Rust has it. Values are
// told by our own scripts (scripts/aidb/rust).
type rustDialect struct {
	*lldbDialect
	// reads: expressions of Rust are worked out by our script, which CodeLLDB
	// can run for a value. Without it they are LLDB's paths of variables.
	reads bool

	rustTests
	panics panics
}

var _ adapters.Dialect = (*rustDialect)(nil)

func newRustDialect(d *lldbDialect, s *start, reads bool) *rustDialect {
	return &rustDialect{lldbDialect: d, reads: reads, rustTests: rustTests{s.tests}}
}

// rustMain is the main function of a Rust program: "main" alone is the C
// runtime's.
func rustMain(b binary.Binary) string { return cmp.Or(build.RustMain(b.Path), "main") }

// rustCommands are told to LLDB for a Rust program, after our scripts.
func rustCommands(s *start) (list []string) {
	if s.debugger.kind != codeLLDB { // it has a filter for panics
		list = append(list, "breakpoint set --name rust_panic")
	}
	if s.tests {
		list = append(list, "breakpoint set --func-regex ^from_residual< --breakpoint-name aidb_failing",
			"breakpoint command add --python-function aidb.debugger.lldb.rust.failing aidb_failing")
	}
	return list
}

// Correct: conditions are written in Rust, which only our script can read.
func (d *rustDialect) Correct(caps *godap.Capabilities) {
	d.lldbDialect.Correct(caps)
	caps.SupportsConditionalBreakpoints = false
}

// Expression hands one of Rust to our script, its text as hexadecimal digits,
// so that nothing in between takes a part of it for its own. What begins with a
// slash is CodeLLDB's: /nat for C++, /py for Python.
func (d *rustDialect) Expression(expr string) (rewritten, context string) {
	expr = strings.TrimSpace(expr)
	digits := hex.EncodeToString([]byte(expr))
	switch {
	case d.reads && strings.HasPrefix(expr, "/"):
		return expr, "watch"
	case d.reads:
		return `/py __import__("aidb").debugger.lldb.rust.evaluate_hex("` + digits + `")`, "watch"
	case strings.HasPrefix(expr, "self."):
		return "self->" + strings.TrimPrefix(expr, "self."), "watch" // a reference, mostly
	}
	return expr, "watch"
}

// ExpressionIn: what LLDB itself does not read is told in words, which cannot
// be opened, by our script; that must know the frame.
func (d *rustDialect) ExpressionIn(_ context.Context, _ adapters.Caller, frame int, expr string) (rewritten, context string, err error) {
	if d.reads || rustPath.MatchString(strings.TrimSpace(expr)) {
		rewritten, context = d.Expression(expr)
		return rewritten, context, nil
	}
	return fmt.Sprintf("aidb value %d %s", frame, hex.EncodeToString([]byte(expr))), d.commands, nil
}

// rustPath matches what LLDB itself reads as a way into a variable.
var rustPath = pattern.New(`^&?[A-Za-z_]\w*(?:(?:\.|->)\w+|\[\d+\])*$`)

// valueTold is our script's answer for an expression in words.
type valueTold struct {
	Answer struct {
		Value string `json:"value"`
		Type  string `json:"type"`
	} `json:"answer"`
	Error string `json:"error"`
}

// parseTold reads the answer out of what lldb-dap says, which repeats the command.
func parseTold(result string) (t valueTold, ok bool) {
	_, text, ok := strings.Cut(result, "\n")
	if !ok || !strings.HasPrefix(result, "(lldb) aidb value ") {
		return t, false
	}
	return t, json.Unmarshal([]byte(text), &t) == nil
}

// Judge finds the error of an expression that our script could not work out.
func (d *rustDialect) Judge(body godap.EvaluateResponseBody) (why string, failed bool) {
	t, ok := parseTold(body.Result)
	return t.Error, ok && t.Error != ""
}

// Range is how Rust writes a part of a list or of a text.
func (d *rustDialect) Range(expr, typ string, start, count int) string {
	if !d.reads || strings.Contains(typ, "Map<") || strings.Contains(typ, "Set<") {
		return ""
	}
	return fmt.Sprintf("%s[%d..%d]", operand(expr), start, start+count)
}

// pythonError is the last line of an error of our script.
var pythonError = pattern.New(`(?m)^(?:aidb\.rust\.meaning\.Wrong|[\w.]+(?:Error|Exception|Nonsense)): (.*)\s*\z`)

const rustReads = "fields, elements (v[0], map[\"key\"]), arithmetic and comparisons can be read, and len(), is_some() and the like; " +
	"inspect(target: locals) shows the names"

// Fault finds our script's own words.
func (d *rustDialect) Fault(op string, err error) (message, hint string) {
	if m := pythonError.FindStringSubmatch(dap.Reason(err)); m != nil {
		return m[1], rustReads
	}
	return d.lldbDialect.Fault(op, err)
}

// rustHash ends the names of functions in older debuggers.
var rustHash = pattern.New(`::h[0-9a-f]{16}$`)

// rustSigns are written out where an older debugger does not read the names of symbols.
var rustSigns = strings.NewReplacer("$LT$", "<", "$GT$", ">", "$u20$", " ", "$u7b$", "{", "$u7d$", "}", "$u5b$", "[", "$u5d$", "]",
	"$RF$", "&", "$BP$", "*", "$C$", ",", "$LP$", "(", "$RP$", ")", "$u27$", "'", "..", "::")

// rustName is a function's name as Rust has it: without a hash and arguments.
func rustName(name string) string {
	name = rustHash.ReplaceAllString(name, "")
	if strings.Contains(name, "$") {
		return rustSigns.Replace(strings.ReplaceAll(strings.TrimPrefix(name, "_"), "::_$", "::$"))
	}
	if i := strings.IndexByte(name, '('); i > 0 && strings.HasSuffix(name, ")") && !strings.Contains(name[:i], "<") {
		name = name[:i]
	}
	return name
}

// Frame cleans the function's name.
func (d *rustDialect) Frame(f godap.StackFrame) godap.StackFrame {
	f.Name = rustName(f.Name)
	return f
}

// rustLibrary matches where the sources of the standard library and of crates lie.
var rustLibrary = pattern.New(`^/rustc/|/rustc-[0-9][^/]*/(?:library|vendor)/|/rustlib/src/rust/|/\.cargo/(registry|git)/|^library/`)

// Internal says that of the standard library, of crates and of the start of the program.
func (d *rustDialect) Internal(frame godap.StackFrame) bool {
	return isRustLibrary(frame) || d.isHarness(frame) || d.lldbDialect.Internal(frame)
}

func isRustLibrary(frame godap.StackFrame) bool {
	return frame.Source == nil || frame.Source.Path == "" || rustLibrary.MatchString(frame.Source.Path)
}

// Returned has Rust's type too. What Rust gives in registers our script reads: LLDB takes
// it for what C would give there.
func (d *rustDialect) Returned(ctx context.Context, c adapters.Caller, thread int) ([]godap.Variable, error) {
	var v struct {
		Value, Type string
		Registers   bool // it lies in registers; without a value it is not known how
	}
	if err := d.ask(ctx, c, &v, "returned", thread); err != nil {
		return nil, err
	}
	if v.Registers && v.Value == "" {
		return nil, nil
	}
	vars, err := d.lldbDialect.Returned(ctx, c, thread)
	if v.Registers || err == nil && len(vars) == 0 && !d.reads && v.Value != "" { // lldb-dap does not tell it
		vars, err = []godap.Variable{{Name: "result", Value: v.Value, Type: v.Type}}, nil
	}
	return rustVariables("", vars, true), err
}

// Variables have Rust's types, and the names that its expressions have.
func (d *rustDialect) Variables(parent string, vars []godap.Variable) []godap.Variable {
	return rustVariables(parent, d.lldbDialect.Variables(parent, vars), d.scope(parent))
}

// Values that have no parts, though our script's children stand behind all.
var (
	wholeType  = pattern.New(`^(?:[iu](?:8|16|32|64|128)|f32|f64|bool|char|\(\)|String|&str|&mut str|Duration)$`)
	addressed  = pattern.New(`^0x[0-9a-f]+ (.+)$`) // lldb-dap puts the address of a reference before what is there
	mangled    = pattern.New(`::h[0-9a-f]{16}$`)   // the compiler's hash behind a global variable's name
	untold     = "<cannot tell which variant>"
	notHere    = "<not readable here>"
	movedAway  = pattern.New(`<[^<>]*\bmoved away in line \d+[^<>]*>$`)
	wholeValue = pattern.New(`^(?:<not initialized>|<not readable here>|<[^<>]*\bmoved away in line \d+[^<>]*>|null|[A-Z]\w*)$`)
)

func rustVariables(parent string, vars []godap.Variable, scope bool) []godap.Variable {
	kept := vars[:0]
	for _, v := range vars {
		if scope && isCompilerVariable(v) {
			continue
		}
		if t, ok := parseTold(v.Value); ok {
			v.Value, v.Type = t.Answer.Value, t.Answer.Type
		}
		for _, said := range []string{untold, notHere, movedAway.FindString(v.Value)} {
			if said != "" && strings.HasSuffix(v.Value, said) { // lldb-dap puts what it takes for the value before it
				v.Value = said
			}
		}
		v.Name = cmp.Or(mangled.ReplaceAllString(v.Name, ""), "captures") // of a closure
		switch v.Type {
		case "void", "()":
			v.Value, v.VariablesReference = "()", 0
		case "float", "f32":
			v.Value = rustReal(v.Value, 32)
		case "double", "f64":
			v.Value = rustReal(v.Value, 64)
		case "char32_t":
			v.Value = v.Value[strings.IndexByte(v.Value, '\'')+1-min(strings.Count(v.Value, "'"), 1):]
		}
		v.Type = sharedType(rustType(v.Type), v.Value)
		if m := addressed.FindStringSubmatch(v.Value); m != nil && strings.HasPrefix(v.Type, "&") && !strings.HasPrefix(v.Name, "&") {
			v.Value = m[1]
		}
		if wholeType.MatchString(v.Type) || wholeValue.MatchString(v.Value) {
			v.VariablesReference, v.NamedVariables, v.IndexedVariables = 0, 0, 0
		}
		switch {
		case scope || parent == "":
			v.EvaluateName = v.Name
		case strings.HasPrefix(v.Name, "["):
			v.EvaluateName = operand(parent) + v.Name
		default:
			v.EvaluateName = operand(parent) + "." + v.Name
		}
		kept = append(kept, v)
	}
	return kept
}

// operand is an expression of which a part can be named.
func operand(expr string) string {
	if strings.ContainsAny(expr, " *&") && !strings.HasPrefix(expr, "(") && !strings.Contains(expr, `["`) {
		return "(" + expr + ")"
	}
	return expr
}
