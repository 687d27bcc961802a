package profile

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/google/pprof/profile"

	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/recording"
	"aidb-mcp/session"
)

// places says where the lines of a run are, as the workspace has them, and what they say.
type places struct {
	at   func(file string, line int) (string, int, bool)
	code func(file string, line int) string
}

// placesBy are those of files that lie somewhere else.
func (q Question) placesBy(local func(string) string) places {
	return places{
		at:   func(file string, line int) (string, int, bool) { return local(file), line, false },
		code: func(file string, line int) string { return q.Subject.CodeAt(fmt.Sprintf("%s:%d", local(file), line)) },
	}
}

func (q Question) unchanged() places { return q.placesBy(func(file string) string { return file }) }

// inCopy are those of a patched copy, whose lines are read before it is removed.
func inCopy(changed *session.Changed, p *profile.Profile) places {
	type place struct {
		file string
		line int
	}
	code, files := map[place]string{}, source.NewFiles(nil)
	for _, l := range p.Location {
		for _, line := range l.Line {
			if line.Function == nil || line.Line == 0 {
				continue
			}
			at := place{line.Function.Filename, int(line.Line)}
			if there := fmt.Sprintf("%s:%d", at.file, at.line); changed.At(there) != there {
				text, _ := files.Text(at.file, at.line) // what cannot be read is not shown
				code[at] = strings.TrimSpace(text)
			}
		}
	}
	return places{
		at: func(file string, line int) (string, int, bool) {
			there, isMade := strings.CutSuffix(changed.At(fmt.Sprintf("%s:%d", file, max(line, 1))), session.MadeLine)
			at, number := recording.FileLine(there)
			if line == 0 || number == 0 { // the file alone is asked for, or it has no line
				return cmp.Or(at, file), line, false
			}
			return at, number, isMade
		},
		code: func(file string, line int) string { return code[place{file, line}] },
	}
}
