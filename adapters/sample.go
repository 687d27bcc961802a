package adapters

import "path/filepath"

// Sample is a tiny program of a language, with which an installation is tried: it is
// stopped in a function or at a line of its target.
type Sample struct {
	Files    map[string]string // texts by names
	Target   string
	Function string
	Line     int // of the target
}

// SingleFile is a program of one file, stopped at a line of it.
func SingleFile(name, text string, line int) Sample {
	return Sample{Files: map[string]string{name: text}, Target: name, Line: line}
}

// Path is the file of the line, empty when a function is named.
func (s Sample) Path(dir string) string {
	if s.Line == 0 {
		return ""
	}
	return filepath.Join(dir, s.Target)
}
