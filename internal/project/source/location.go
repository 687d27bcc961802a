package source

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"aidb-mcp/internal/fault"
)

// maxLocation bounds the text of a location; longer ones are mistakes.
const maxLocation = 4096

// maxLine is the largest line or column that is believed.
const maxLine = 1<<31 - 1

// Location is a place in a program as it was written: a line of a file, a line
// of the current file (File is empty), or a function. Line and Column count
// from 1; 0 means that it was not given.
type Location struct {
	File     string
	Line     int
	Column   int
	Function string
}

// String writes the location the way ParseLocation reads it.
func (l Location) String() string {
	if l.Function != "" {
		return l.Function
	}
	s := strconv.Itoa(l.Line)
	if l.File != "" {
		s = l.File + ":" + s
	}
	if l.Column > 0 {
		s += ":" + strconv.Itoa(l.Column)
	}
	return s
}

// sourceExtensions mark text as a file's name rather than a function's. Those
// that are also plausible function names ("c", "h", "d", "m") are left out.
var sourceExtensions = []string{
	".go", ".s", ".py", ".pyw", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx",
	".cc", ".cpp", ".cxx", ".hpp", ".hh", ".rs", ".java", ".kt", ".swift", ".zig", ".rb", ".cs",
}

// ParseLocation reads a location: "file:line", "file:line:column", "line",
// "line:column" or a function's name. What ends in numbers is a line, all else
// a function, so that paths may hold spaces, colons and drive letters, and
// functions may be called "std::vec::new". Errors carry
// fault.InvalidLocation, say what is wrong and give an example.
func ParseLocation(text string) (Location, error) {
	s := strings.TrimSpace(text)
	if err := checkText(s); err != nil {
		return Location{}, err
	}
	head, last, ok := cutNumber(s)
	if !ok {
		return parseFunction(s)
	}
	if head == "" && !strings.HasPrefix(s, ":") {
		line, err := position(s, "line", last)
		return Location{Line: line}, err
	}
	if front, line, ok := cutNumber(head); ok && !strings.HasSuffix(head, ":") {
		return fileLocation(s, front, line, last)
	}
	return fileLocation(s, head, last, "")
}

func checkText(s string) error {
	switch {
	case s == "":
		return invalid("the location is empty")
	case len(s) > maxLocation:
		return invalid("the location is %d bytes long, at most %d make sense", len(s), maxLocation)
	case !utf8.ValidString(s):
		return invalid("the location is not valid UTF-8")
	case strings.ContainsFunc(s, unicode.IsControl):
		return invalid("the location %q holds a control character", s)
	}
	return nil
}

// cutNumber splits "head:digits"; for digits alone the head is empty. A sign is
// taken along so that "-3" can be refused for what it is.
func cutNumber(s string) (head, number string, ok bool) {
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		head, s = s[:i], s[i+1:]
	}
	return head, s, isNumber(s)
}

func isNumber(s string) bool {
	digits := strings.TrimLeft(s, "+-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

func fileLocation(s, file, line, column string) (Location, error) {
	if strings.HasSuffix(file, ":") || file == "" && strings.HasPrefix(s, ":") {
		return Location{}, invalid("no file before the line in %q", s)
	}
	l := Location{File: strings.TrimSpace(file)}
	var err error
	if l.Line, err = position(s, "line", line); err != nil {
		return Location{}, err
	}
	if column != "" {
		if l.Column, err = position(s, "column", column); err != nil {
			return Location{}, err
		}
	}
	return l, nil
}

func position(s, what, number string) (int, error) {
	n, err := strconv.ParseInt(number, 10, 64)
	switch {
	case err != nil || n > maxLine:
		return 0, invalid("the %s %s in %q is too large", what, number, s)
	case n < 1:
		return 0, invalid("the %s in %q is %s, but %ss count from 1", what, s, number, what)
	}
	return int(n), nil
}

// parseFunction takes what does not end in a number, unless it is plainly a
// file whose line is missing or mistyped.
func parseFunction(s string) (Location, error) {
	if looksLikeFile(s) {
		return Location{}, invalid("%q names a file but no line", s)
	}
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return Location{Function: s}, nil
	}
	front, tail := s[:i], s[i+1:]
	file, _, _ := cutNumber(front)
	switch {
	case tail == "" && (looksLikeFile(front) || looksLikeFile(file)):
		return Location{}, invalid("nothing follows the last colon in %q", s)
	case looksLikeFile(front):
		return Location{}, invalid("%q in %q is not a line number", tail, s)
	case looksLikeFile(file):
		return Location{}, invalid("%q in %q is not a column number", tail, s)
	case tail == "":
		return Location{}, invalid("%q ends in a colon", s)
	}
	return Location{Function: s}, nil
}

func looksLikeFile(s string) bool {
	base := path.Base(strings.ReplaceAll(s, `\`, "/"))
	return slices.Contains(sourceExtensions, strings.ToLower(path.Ext(base)))
}

func invalid(format string, args ...any) error {
	return fault.New(fault.InvalidLocation, "%s", fmt.Sprintf(format, args...)).
		WithHint(`write a location as "pkg/file.go:42", "file.go:42:7", "42" (a line of the current file) or a function such as "main.run" or "pkg.(*T).Method"`)
}
