package build

import (
	"strconv"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/text/pattern"
)

// Messages of gcc, clang, CMake, Meson and make: "file:line:column: error: text",
// "file:line: text". The linker puts itself in front, and the object file;
// a newer one also where in its code it is, after the line.
var (
	diagnostic  = pattern.New(`^(\S.*?):(\d+)(?::(\d+))?: (?:fatal )?error: (.*)$`)
	unresolved  = pattern.New(`^(?:\S*ld(?:\.\w+)?: )?(?:\S+\.o: in function .*: ?)?([^:()]+):(\d+):(?:\(\.\S+\):)? ((?:undefined reference|multiple definition|undefined symbol).*)$`)
	nameless    = pattern.New(`^(?:\S*ld(?:\.\w+)?: |\(\.\S+\): )((?:undefined symbol|cannot find|undefined reference|.*multiple definition|.*undefined reference).*)$`)
	cmakeError  = pattern.New(`^CMake Error at ([^:]+):(\d+) \((\w+)\):$`)
	cmakeSyntax = pattern.New(`^CMake Error: Error in cmake code at$`)
	mesonError  = pattern.New(`^(\S*meson(?:\.build|_options\.txt|\.options)):(\d+):(\d+): ERROR: (.*)$`)
	makeError   = pattern.New(`^([^\s:]*[Mm]akefile[^\s:]*|[^\s:]+\.mk):(\d+): \*\*\* (.*?)(?:\.  Stop\.)?$`)
)

// compileErrors finds the messages with a position in what compilers, linkers
// and build tools wrote.
func compileErrors(text string, show func(file string) string) []prepare.CompileError {
	var found []prepare.CompileError
	seen := map[prepare.CompileError]bool{}
	add := func(file, line, column, message string) {
		e := prepare.CompileError{File: show(file), Message: strings.TrimSpace(message)}
		e.Line, _ = strconv.Atoi(line)
		e.Column, _ = strconv.Atoi(column)
		if !seen[e] {
			seen[e] = true
			found = append(found, e)
		}
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		if m := diagnostic.FindStringSubmatch(line); m != nil {
			add(m[1], m[2], m[3], m[4])
		} else if m := unresolved.FindStringSubmatch(line); m != nil {
			add(m[1], m[2], "", m[3])
		} else if m := makeError.FindStringSubmatch(line); m != nil {
			add(m[1], m[2], "", m[3])
		} else if m := mesonError.FindStringSubmatch(line); m != nil {
			add(m[1], m[2], m[3], m[4])
		} else if m := cmakeError.FindStringSubmatch(line); m != nil {
			add(m[1], m[2], "", m[3]+": "+indentedText(lines[i+1:]))
		} else if cmakeSyntax.MatchString(line) && i+1 < len(lines) {
			if file, n, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(lines[i+1]), ":"), ":"); ok {
				add(file, n, "", indentedText(lines[i+2:]))
			}
		}
	}
	return found
}

// indentedText joins the first two paragraphs of the indented lines at the start.
func indentedText(lines []string) string {
	var words []string
	paragraphs := 0
	for i, line := range lines {
		if line != "" && line[0] != ' ' {
			break
		}
		if fields := strings.Fields(line); len(fields) > 0 {
			if i == 0 || lines[i-1] == "" {
				if paragraphs++; paragraphs > 2 {
					break
				}
			}
			words = append(words, fields...)
		}
	}
	return strings.Join(words, " ")
}

// linkTrouble is the first complaint of a linker that has no position.
func linkTrouble(text string) string {
	for line := range strings.Lines(text) {
		if m := nameless.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			return m[1]
		}
	}
	return ""
}
