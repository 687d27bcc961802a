package resources

import (
	"slices"
	"strings"
)

// IDs are the sessions whose ids complete what was typed, the newest first: those
// that begin with it before those that hold it.
func (l *Library) IDs(typed string) []string {
	var begin, hold []string
	typed = strings.ToLower(typed)
	all := l.o.Sessions.List()
	for _, s := range slices.Backward(all) {
		switch id := s.ID(); {
		case strings.HasPrefix(strings.ToLower(id), typed):
			begin = append(begin, id)
		case strings.Contains(strings.ToLower(id), typed):
			hold = append(hold, id)
		}
	}
	return append(begin, hold...)
}

// Complete are values for a variable of a template.
func (l *Library) Complete(template, variable, typed string) []string {
	if variable != "id" || !strings.HasPrefix(template, scheme+"session/") {
		return nil
	}
	return l.IDs(typed)
}
