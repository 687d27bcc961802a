package native

import (
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/text/pattern"
)

// helpers matches the beginning of template arguments that the C++ library
// supplies by itself, and that nobody writes.
var helpers = pattern.New(`, ?std::(allocator|char_traits|less|hash|equal_to|default_delete)<`)

// plainType is a type, or a function's name with its arguments' types, as people write it.
func plainType(t string) string {
	if !strings.Contains(t, "std::") {
		return t
	}
	t = strings.NewReplacer("std::__cxx11::", "std::", "std::__1::", "std::").Replace(t)
	for from := 0; ; {
		at := helpers.FindStringIndex(t[from:])
		if at == nil {
			break
		}
		begin := from + at[0]
		end := closingBracket(t, from+at[1])
		if end < 0 {
			break
		}
		t, from = t[:begin]+t[end:], begin
	}
	t = strings.ReplaceAll(t, "> >", ">>")
	t = strings.ReplaceAll(strings.ReplaceAll(t, " >", ">"), "std::basic_string_view<char>", "std::string_view")
	return strings.ReplaceAll(t, "std::basic_string<char>", "std::string")
}

// typeLength is that of a type that pushes nothing else out.
const typeLength = 120

// shortType is a type as people write it, of which the innermost arguments are
// left out where it is long: those of closures and of generic code fill a page.
func shortType(t string) string {
	t = plainType(t)
	for depth := 3; depth >= 0 && len(t) > typeLength; depth-- {
		t = withoutArguments(t, depth)
	}
	return t
}

// withoutArguments leaves out what is in more brackets than depth.
func withoutArguments(t string, depth int) string {
	var b strings.Builder
	open := 0
	for i := range len(t) {
		c := t[i]
		arrow := c == '>' && i > 0 && t[i-1] == '-'
		if (c == '>' || c == ')') && !arrow {
			if open--; open == depth {
				b.WriteString("...")
			}
		}
		if open <= depth {
			b.WriteByte(c)
		}
		if c == '<' || c == '(' {
			open++
		}
	}
	return b.String()
}

// closingBracket is behind the bracket that closes the one before at.
func closingBracket(t string, at int) int {
	for depth := 1; at < len(t); at++ {
		switch t[at] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return -1
}

// Frame shortens the types in a function's name, which stands in a reply three times.
func (c *common) Frame(f godap.StackFrame) godap.StackFrame {
	f.Name = strings.TrimPrefix(shortType(f.Name), "::") // LLDB's, of what is static
	return f
}
