package jsdebug

import (
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/text/pattern"
)

// The names that scopes are given here, by which Variables knows them.
const (
	moduleScope = "Module"      // seen from within a function
	moduleBody  = "Module body" // the module's own code runs
)

// Scopes: what a function has, with its blocks and the functions around it, is
// local; what the file has is global, unless its own code is what runs. The
// names of the language itself are left out.
func (*dialect) Scopes(scopes []godap.Scope) []godap.Scope {
	inFunction := slices.ContainsFunc(scopes, func(s godap.Scope) bool {
		return strings.HasPrefix(s.Name, "Local") && !isWholeFile(s)
	})
	var kept []godap.Scope
	outermost := len(scopes) - 2 // before the language's own
	for i, s := range scopes {
		kind, _, _ := strings.Cut(s.Name, ":")
		kind, _, _ = strings.Cut(kind, " ")
		s.Expensive = false
		switch {
		case kind == "Global":
			continue
		case kind == "Module" || kind == "Script" || isWholeFile(s) || i == outermost && s.Name == "Closure":
			s.Name, s.PresentationHint = moduleScope, "globals"
			if !inFunction {
				s.Name, s.PresentationHint = moduleBody, "locals"
			}
		default: // Local, Block, Catch, Closure, With, Eval
			s.PresentationHint = "locals"
		}
		kept = append(kept, s)
	}
	return kept
}

// isWholeFile knows the function that node wraps a CommonJS module in.
func isWholeFile(s godap.Scope) bool {
	return s.Line == 1 && s.Column == 1 && !strings.HasPrefix(s.Name, "Block")
}

// wrapper are the parameters of that function.
var wrapper = []string{"exports", "require", "module", "__filename", "__dirname", "this"}

// Variables leaves out what is no data, and words values as people do.
func (d *dialect) Variables(parent string, vars []godap.Variable) []godap.Variable {
	kept := make([]godap.Variable, 0, len(vars))
	for _, v := range vars {
		if isPseudo(parent, v) {
			continue
		}
		v.Value = tidyValue(v)
		if name, internal := internalNames[v.Name]; internal {
			v.Name = name
		}
		v.Type = tidyType(v.Type, v.Value)
		kept = append(kept, v)
	}
	return kept
}

// internalNames are slots of values that tell something.
var internalNames = map[string]string{
	"[[PromiseState]]":  "state",
	"[[PromiseResult]]": "result",
	"[[Entries]]":       entries,
}

const entries = "entries"

// helper matches what esbuild, TypeScript and vite put into a file for themselves.
var helper = pattern.New(`^__(?:defProp|getOwnPropDesc|getOwnPropNames|getOwnPropSymbols|hasOwnProp|getProtoOf|propIsEnum|` +
	`copyProps|toCommonJS|toESM|export|name|esm|commonJS|create|require|spreadValues|importDefault|importStar|awaiter|vi_import.*|vite_.*|aidb)(?:__)?$`)

// isPseudo says that an entry tells nothing about the program.
func isPseudo(parent string, v godap.Variable) bool {
	switch {
	case helper.MatchString(v.Name):
		return true
	case v.Name == "this":
		return parent == moduleBody || parent == moduleScope || v.Value == "global" || v.Value == "undefined" || v.Value == "globalThis"
	case strings.HasPrefix(v.Name, "[[") && internalNames[v.Name] == "":
		return true
	case strings.HasPrefix(v.Name, "Symbol(async_id_symbol)"), strings.HasPrefix(v.Name, "Symbol(trigger_async_id_symbol)"):
		return true
	case strings.HasPrefix(parent, "Closure") && isDeclared(v):
		return true // it is the code around, which is not data
	case parent == moduleScope || parent == moduleBody:
		function := v.Type == "Function" && parent == moduleBody
		return function || slices.Contains(wrapper, v.Name)
	}
	return false
}

// isDeclared says that a variable is a function that was declared by this name.
func isDeclared(v godap.Variable) bool {
	m := functionText.FindStringSubmatch(v.Value)
	return m != nil && m[3] == v.Name
}

var (
	promiseText  = pattern.New(`(?s)^Promise \{\[\[PromiseState\]\]: '(\w+)', \[\[PromiseResult\]\]: (.*?)(?:, Symbol\(async_id_symbol\).*)?\}$`)
	functionText = pattern.New(`(?s)^(?:ƒ\s*)?(async )?(?:ƒ\s*)?(?:function\s*)?(\*?\s*)([\w$.#]*)\s*\((.*?)\)\s*\{`)
	arrowText    = pattern.New(`(?s)^(?:ƒ\s*)?(async )?(?:ƒ\s*)?(\([^)]*\)|[\w$]+)\s*=>`)
	classText    = pattern.New(`(?s)^(?:ƒ\s*)?class\s*([\w$]*)(?:\s+extends\s+([\w$.]+))?\s*\{`)
	arrayExtras  = pattern.New(`, (?:buffer: ArrayBuffer\(\d+\), byteLength: \d+, byteOffset: \d+, length: \d+, )Symbol\(Symbol\.toStringTag\): '\w+'`)
	sizeText     = pattern.New(`^((?:Map|Set)\(\d+\) \{)size: \d+(?:, )?`)
	stackText    = pattern.New(`(?s)^(.*?)\n\s+at .*$`)
)

// tidyValue shows functions by their heads, promises by their state, errors by
// their message, and collections without what their elements tell.
func tidyValue(v godap.Variable) string {
	text := v.Value
	if v.PresentationHint != nil && v.PresentationHint.Lazy {
		return "(getter)"
	}
	if strings.EqualFold(v.Type, "function") {
		return tidyFunction(text)
	}
	if m := promiseText.FindStringSubmatch(text); m != nil {
		if m[1] == "pending" {
			return "Promise {pending}"
		}
		return "Promise {" + m[1] + ": " + m[2] + "}"
	}
	if m := stackText.FindStringSubmatch(text); m != nil && !strings.HasPrefix(text, "'") {
		return m[1]
	}
	text = arrayExtras.ReplaceAllString(text, "")
	return sizeText.ReplaceAllString(text, "$1")
}

// tidyFunction is a function's head: its text may be as long as the file.
func tidyFunction(text string) string {
	if m := classText.FindStringSubmatch(text); m != nil {
		head := strings.TrimSpace("class " + m[1])
		if m[2] != "" {
			head += " extends " + m[2]
		}
		return head
	}
	if m := arrowText.FindStringSubmatch(text); m != nil {
		return "ƒ " + m[1] + oneLine(m[2]) + " =>"
	}
	if m := functionText.FindStringSubmatch(text); m != nil {
		return "ƒ " + m[1] + strings.TrimSpace(m[2]) + m[3] + "(" + oneLine(m[4]) + ")"
	}
	head, _, cut := strings.Cut(text, "\n")
	if cut {
		head += " …"
	}
	return head
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// tidyType drops types that the value says, and the one that says nothing.
func tidyType(typ, value string) string {
	if typ == "undefined" || value == "null" {
		return ""
	}
	return typ
}

// Indirect: the entries of a collection are the collection.
func (*dialect) Indirect(child godap.Variable) bool { return child.Name == entries }
