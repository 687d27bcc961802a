// Package detect takes the reports of AddressSanitizer, LeakSanitizer, ThreadSanitizer,
// UndefinedBehaviorSanitizer and valgrind apart, as they stand in the files that these write.
//
// It knows their exact formats; no build, no debugger, no session. What is written in no
// known format is a report without accesses: nothing is guessed.
package detect

import (
	"path/filepath"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/text/pattern"
)

// section is a part of a report: a line of words, and the stack below it.
type section struct {
	words  string
	frames []adapters.Thrown
}

var (
	frameLine = pattern.New(`^\s+#\d+ (?:0x[0-9a-f]+ in )?(.+)$`)
	placed    = pattern.New(`^(.+?) (\.{0,2}/[^:]+):(\d+)(?::\d+)?(?: \(.*\))?$`)
	unplaced  = pattern.New(`^(.+?)(?: (?:<null>|\.\.?/\S+|\(.*\)|\S+\.(?:S|c|cc|cpp|h|hpp)(?::\d+)*))*$`)
	numbers   = pattern.New(`0x[0-9a-f]+`)
)

// interceptor begins the names of functions of the system in a sanitizer's runtime.
const interceptor = "__interceptor_"

// Dirs are the directories from which files may be told that a compiler was given so.
type Dirs []string

// sections divides a report at its lines of words.
func (dirs Dirs) sections(report string) []section {
	var list []section
	for line := range strings.Lines(report) {
		line = strings.TrimRight(line, "\r\n")
		if m := frameLine.FindStringSubmatch(line); m != nil {
			if len(list) > 0 {
				last := &list[len(list)-1]
				last.frames = append(last.frames, dirs.frame(m[1]))
			}
			continue
		}
		if words := strings.TrimSpace(line); words != "" {
			list = append(list, section{words: words})
		}
	}
	return list
}

// frame reads "function file:line". A file that is not there from any of the directories is none.
func (dirs Dirs) frame(text string) adapters.Thrown {
	m := placed.FindStringSubmatch(text)
	if m == nil {
		return adapters.Thrown{Function: strings.TrimPrefix(unplaced.FindStringSubmatch(text)[1], interceptor)}
	}
	f := adapters.Thrown{Function: strings.TrimPrefix(m[1], interceptor)}
	if f.File = dirs.locate(m[2]); f.File != "" {
		f.Line = number(m[3])
	}
	return f
}

func (dirs Dirs) locate(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	for _, dir := range dirs {
		if path := filepath.Join(dir, file); prepare.IsFile(path) {
			return path
		}
	}
	return ""
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// below is the first stack from a section on, up to the next that is an access of its own.
func below(list []section, isAccess func(string) bool) []adapters.Thrown {
	for i, s := range list {
		if i > 0 && isAccess(s.words) {
			break
		}
		if len(s.frames) > 0 {
			return s.frames
		}
	}
	return nil
}
