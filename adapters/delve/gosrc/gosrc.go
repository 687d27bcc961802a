// Package gosrc tells the user's Go code from the code that came with the
// toolchain or from a module cache, by nothing but names and paths: the
// program may have been compiled elsewhere, or with -trimpath.
package gosrc

import (
	"path"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Library says whether a function in a source file belongs to the Go
// distribution or to a dependency. The function may be shortened to its last
// path element, as DAP shows it.
func Library(function, file string) bool {
	if Runtime(function) || file == "" {
		return true
	}
	file = strings.ReplaceAll(file, `\`, "/")
	if strings.Contains(file, "/pkg/mod/") || strings.Contains(file, "/vendor/") {
		return true
	}
	if distribution.MatchString(file) {
		return true
	}
	if path.IsAbs(file) || hasDrive(file) {
		return false
	}
	// With -trimpath: "fmt/print.go", "golang.org/x/text@v0.3.0/…", "mymodule/main.go".
	first, _, inDirectory := strings.Cut(file, "/")
	return !inDirectory || strings.Contains(file, "@") || standard[first]
}

// Runtime says whether a function belongs to the Go runtime, or to the code
// that the compiler and the test tool generate.
func Runtime(function string) bool {
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "runtime/") ||
		strings.HasPrefix(function, "internal/runtime/") || function == "" || function == "???"
}

// distribution matches the sources of a Go toolchain: /usr/local/go/src/fmt/print.go,
// /usr/lib/go-1.26/src/…, C:/Program Files/Go/src/….
var distribution = pattern.New(`(?i)/(go|golang)[-0-9.a-z]*/([0-9.]+/libexec/)?src/(` + strings.Join(roots, "|") + `)/`)

func hasDrive(file string) bool { return len(file) > 1 && file[1] == ':' }

// roots are the first path elements of the standard library.
var roots = []string{
	"archive", "arena", "bufio", "builtin", "bytes", "cmd", "cmp", "compress", "container", "context",
	"crypto", "database", "debug", "embed", "encoding", "errors", "expvar", "flag", "fmt", "go", "hash",
	"html", "image", "index", "internal", "io", "iter", "log", "maps", "math", "mime", "net", "os", "path",
	"plugin", "reflect", "regexp", "runtime", "slices", "sort", "strconv", "strings", "structs", "sync",
	"syscall", "testing", "text", "time", "unicode", "unique", "unsafe", "vendor", "weak",
}

var standard = func() map[string]bool {
	set := make(map[string]bool, len(roots))
	for _, root := range roots {
		set[root] = true
	}
	return set
}()
