package native

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// LLDB tells Rust's types as C++ would: numbers by C's names, references as
// pointers, and names in full.
var (
	numberTypes = strings.NewReplacer(
		"unsigned __int128", "u128", "__int128", "i128",
		"unsigned long long", "u64", "unsigned long", "u64", "long long", "i64",
		"unsigned int", "u32", "unsigned short", "u16", "unsigned char", "u8", "signed char", "i8",
	)
	wordTypes = map[string]string{
		"long": "i64", "int": "i32", "short": "i16", "char": "i8",
		"float": "f32", "double": "f64", "char32_t": "char", "void": "()",
	}
	typeWord    = pattern.New(`[A-Za-z_][\w:]*`)
	libraryPath = pattern.New(`^(?:alloc|core|std|hashbrown)::(?:\w+::)*([A-Z]\w*)$`)
	arrayOf     = pattern.New(`^(.*?) ?\[(\d*)\]$`)
	pinned      = pattern.New(`^((?:core::pin::)?Pin<)([^<>]*?) ?\*>$`)
	functionOf  = pattern.New(`^(.*?) ?\(\*\)\((.*)\)$`)
	inTuple     = pattern.New(`([(<][^()<>]*)\bchar\b`) // or among generic arguments, whose name is the compiler's, so that this is Rust's
)

// rustType is the name of a type as Rust has it, paths of the standard library
// left out. A Box is a reference in it: LLDB keeps no name for pointers. A usize
// is a u64 in it: see [rustDialect.Declared] and [rustDialect.DeclaredParts].
func rustType(t string) string {
	t = strings.TrimSpace(t)
	if m := functionOf.FindStringSubmatch(t); m != nil {
		return "fn(" + rustType(m[2]) + ") -> " + rustType(m[1])
	}
	if inner, ok := strings.CutSuffix(t, "*"); ok {
		return "&" + rustType(strings.TrimSuffix(strings.TrimSpace(inner), "const"))
	}
	if m := arrayOf.FindStringSubmatch(t); m != nil && !strings.HasPrefix(t, "&") {
		return "[" + rustType(m[1]) + "; " + cmp.Or(m[2], "0") + "]"
	}
	t = numberTypes.Replace(t)
	t = pinned.ReplaceAllString(t, "${1}&$2>")
	for inTuple.MatchString(t) {
		t = inTuple.ReplaceAllString(t, "${1}char32_t")
	}
	t = typeWord.ReplaceAllStringFunc(t, func(word string) string {
		if known, ok := wordTypes[word]; ok {
			return known
		}
		if m := libraryPath.FindStringSubmatch(word); m != nil {
			return m[1]
		}
		return word
	})
	t = strings.ReplaceAll(t, " >", ">")
	t = strings.ReplaceAll(t, ", Global>", ">")
	t = strings.ReplaceAll(t, ", RandomState>", ">")
	return strings.TrimSuffix(t, " const")
}

// Declared are the types of a frame's variables that have a usize or an isize in them: LLDB's own
// types have those as u64 and i64.
func (d *rustDialect) Declared(ctx context.Context, c adapters.Caller, thread, frame int) (map[string]string, error) {
	var list []struct{ Name, Type, Own string }
	if err := d.ask(ctx, c, &list, "declared", thread, frame); err != nil {
		return nil, err
	}
	types := map[string]string{}
	for _, v := range list {
		declared := rustType(v.Type)
		if wordNumbers.Replace(declared) == rustType(v.Own) { // else it is another variable's, or LLDB says it otherwise
			types[v.Name] = declared
		}
	}
	return types, nil
}

// DeclaredParts are the types of what a path leads to and of its parts, where these are shown with
// numbers that may be of a machine's word.
func (d *rustDialect) DeclaredParts(ctx context.Context, c adapters.Caller, frame int, path string, whole *godap.Variable, parts []godap.Variable) {
	numbers := func(v godap.Variable) bool { return wordNumber.MatchString(v.Type) }
	if !slices.ContainsFunc(parts, numbers) && (whole == nil || !numbers(*whole)) {
		return
	}
	var found struct {
		Type  string
		Parts map[string]string
	}
	if d.askIn(ctx, c, frame, &found, "declared_parts", digits(path)) != nil {
		return // a part of what is not known from the debug information
	}
	if whole != nil {
		whole.Type = withWords(whole.Type, found.Type)
	}
	for i, v := range parts {
		name := v.Name
		if strings.HasPrefix(name, "[") {
			name = ""
		}
		parts[i].Type = withWords(v.Type, cmp.Or(found.Parts[name], found.Parts["__"+name]))
	}
}

// wordNumber matches the numbers that may be those of a machine's word.
var wordNumber = pattern.New(`\b[ui]64\b`)

// typePath is in front of the name of a type, where LLDB has all of them and the debug information none of a type's own.
var typePath = pattern.New(`\b(?:\w+::)+`)

// withWords gives a type as LLDB has it the numbers that its declaration has.
func withWords(shown, declared string) string {
	declared = typePath.ReplaceAllString(rustType(declared), "")
	if wordNumbers.Replace(declared) != typePath.ReplaceAllString(shown, "") {
		return shown // it is another one, or LLDB says it otherwise
	}
	var words []string
	wordOrNumber.ReplaceAllStringFunc(declared, func(word string) string {
		words = append(words, word)
		return word
	})
	return wordNumber.ReplaceAllStringFunc(shown, func(string) string {
		word := words[0]
		words = words[1:]
		return word
	})
}

// wordOrNumber matches what wordNumber does in a type as LLDB has it.
var wordOrNumber = pattern.New(`\b[ui](?:64|size)\b`)

// wordNumbers makes of the numbers of a machine's word those that LLDB takes them for.
var wordNumbers = strings.NewReplacer("usize", "u64", "isize", "i64")

// sharedType completes the type of an Rc or Arc of a text or a slice, of which
// LLDB keeps the elements only: the value tells that there are several.
func sharedType(t, value string) string {
	m := sharedOf.FindStringSubmatch(t)
	switch {
	case m == nil:
		return t
	case m[2] == "u8" && strings.HasPrefix(value, `"`):
		return m[1] + "<str>"
	case strings.HasPrefix(value, "size="):
		return m[1] + "<[" + m[2] + "]>"
	}
	return t
}

var sharedOf = pattern.New(`^(Rc|Arc|Weak)<([^<>\[\]]+)>$`)

// rustReal is a number with a point as Rust writes it: as short as it can be,
// and never like a whole one.
func rustReal(value string, bits int) string {
	n, err := strconv.ParseFloat(value, bits)
	if bits == 32 { // what it is meant to be, in more digits than it has
		n, _ = strconv.ParseFloat(strconv.FormatFloat(n, 'g', -1, bits), 64)
	}
	switch {
	case err != nil:
		return value
	case math.IsNaN(n):
		return "NaN"
	case math.IsInf(n, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(n, 'g', -1, bits), "+"))
	case n != 0 && math.Abs(n) < 1e-4 || math.Abs(n) >= 1e16:
		return exponent.ReplaceAllString(strconv.FormatFloat(n, 'e', -1, bits), "e$1$2")
	}
	text := strconv.FormatFloat(n, 'f', -1, bits)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

var exponent = pattern.New(`e(-?)\+?0*(\d+)$`)

// isCompilerVariable says that a variable is not the user's but the compiler's: the
// state of an async function that runs, whose variables are listed themselves,
// and what wakes its task.
func isCompilerVariable(v godap.Variable) bool {
	return v.Name == "_task_context" || v.Name == "" && asyncState.MatchString(v.Type)
}

var asyncState = pattern.New(`::\{async_(?:fn|block|closure)_env#\d+\}`)
