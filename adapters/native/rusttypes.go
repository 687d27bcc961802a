package native

import (
	"regexp"
	"strings"
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
	typeWord    = regexp.MustCompile(`[A-Za-z_][\w:]*`)
	libraryPath = regexp.MustCompile(`^(?:alloc|core|std|hashbrown)::(?:\w+::)*([A-Z]\w*)$`)
	arrayOf     = regexp.MustCompile(`^(.*?) ?\[(\d+)\]$`)
	functionOf  = regexp.MustCompile(`^(.*?) ?\(\*\)\((.*)\)$`)
	inTuple     = regexp.MustCompile(`([(<][^()<>]*)\bchar\b`) // or among generic arguments, whose name is the compiler's, so that this is Rust's
)

// rustType is the name of a type as Rust has it, paths of the standard library
// left out. A Box is a reference in it: LLDB keeps no name for pointers. A usize
// is a u64.
func rustType(t string) string {
	t = strings.TrimSpace(t)
	if m := functionOf.FindStringSubmatch(t); m != nil {
		return "fn(" + rustType(m[2]) + ") -> " + rustType(m[1])
	}
	if inner, ok := strings.CutSuffix(t, "*"); ok {
		return "&" + rustType(strings.TrimSuffix(strings.TrimSpace(inner), "const"))
	}
	if m := arrayOf.FindStringSubmatch(t); m != nil && !strings.HasPrefix(t, "&") {
		return "[" + rustType(m[1]) + "; " + m[2] + "]"
	}
	for inTuple.MatchString(t) {
		t = inTuple.ReplaceAllString(t, "${1}char32_t")
	}
	t = typeWord.ReplaceAllStringFunc(numberTypes.Replace(t), func(word string) string {
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
