package delve

import (
	"strings"
	"unicode"
)

// splitFlags splits those build arguments that hold several: agents write
// "-tags integration -race" as one string as often as as three. An argument
// with a value after = stays whole, its value may have spaces.
func splitFlags(args []string) []string {
	var out []string
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		if strings.HasPrefix(arg, "-") && strings.ContainsAny(name, " \t") {
			out = append(out, fields(arg)...)
		} else {
			out = append(out, arg)
		}
	}
	return out
}

// fields splits at spaces outside of quotes and drops the quotes.
func fields(s string) []string {
	var out []string
	var word strings.Builder
	var quote rune
	started := false
	for _, c := range s {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, started = c, true
		case quote == 0 && unicode.IsSpace(c):
			if started {
				out = append(out, word.String())
				word.Reset()
				started = false
			}
		default:
			word.WriteRune(c)
			started = true
		}
	}
	if started {
		out = append(out, word.String())
	}
	return out
}

// tagsOf reads the build tags among the build arguments and GOFLAGS.
func tagsOf(buildArgs []string, goflags string) []string {
	args := append(strings.Fields(goflags), buildArgs...)
	var tags string
	for i, arg := range args {
		flag := "-" + strings.TrimLeft(arg, "-")
		if value, ok := strings.CutPrefix(flag, "-tags="); ok {
			tags = value
		} else if flag == "-tags" && i+1 < len(args) {
			tags = args[i+1]
		}
	}
	return strings.FieldsFunc(tags, func(c rune) bool { return c == ',' || c == ' ' })
}
