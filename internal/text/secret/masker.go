// Package secret hides secrets in what is told and logged: the values of
// environment variables and arguments whose names or shapes are those of secrets.
//
// It knows texts, names and JSON; nothing of where they come from or go to.
package secret

import (
	"slices"
	"strings"
	"sync"

	"aidb-mcp/internal/text/pattern"
)

// Masker masks secrets, and the values that it was told of wherever they stand. A
// nil Masker shows everything. It is safe for concurrent use; mu guards known, of
// which every change makes another.
type Masker struct {
	mu    sync.RWMutex
	known []string // longest first
}

// What is remembered of the values that were seen: at most so many, none so
// short that it might be a word of any text.
const (
	maxKnown  = 1000
	shortest  = 8
	plainWord = 16 // one of letters alone is remembered from this length
)

// New is a masker that knows the secrets among these variables of an
// environment ("NAME=value").
func New(environ []string) *Masker {
	m := &Masker{}
	for _, pair := range environ {
		if name, value, _ := strings.Cut(pair, "="); Name(name) {
			m.know(value)
		}
	}
	return m
}

// Learn remembers the secrets among the variables and arguments of a program.
func (m *Masker) Learn(env map[string]string, args []string) {
	if m == nil {
		return
	}
	for name, value := range env {
		if Name(name) {
			m.know(value)
		}
	}
	for i, arg := range args {
		name, value, assigned := strings.Cut(arg, "=")
		switch {
		case assigned && Name(name):
			m.know(value)
		case i > 0 && isOption(args[i-1]) && Name(args[i-1]):
			m.know(arg)
		}
	}
}

// know remembers a value, unless it might be a word of any text.
func (m *Masker) know(value string) {
	letters := strings.Trim(strings.ToLower(value), "abcdefghijklmnopqrstuvwxyz") == ""
	if len(value) < shortest || letters && len(value) < plainWord {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= maxKnown || slices.Contains(m.known, value) {
		return
	}
	at, _ := slices.BinarySearchFunc(m.known, value, func(a, b string) int { return len(b) - len(a) })
	m.known = slices.Insert(slices.Clone(m.known), at, value)
}

// Text masks what is known or looks like a secret in a text.
func (m *Masker) Text(text string) string {
	if m == nil {
		return text
	}
	m.mu.RLock()
	known := m.known
	m.mu.RUnlock()
	for _, value := range known {
		text = strings.ReplaceAll(text, value, Mask)
	}
	return maskShapes(text)
}

// Variable masks the value of a variable of an environment or of a program.
func (m *Masker) Variable(name, value string) string {
	if m != nil && value != "" && Name(name) && !isParsed(name, value) {
		return Mask
	}
	return m.Text(value)
}

// isParsed says that a token is one of a text that a program reads, an object of kind and
// text: no environment has such a value.
func isParsed(name, value string) bool {
	parts := splitWords(name)
	return strings.HasPrefix(parts[len(parts)-1], "token") && !slices.ContainsFunc(parts[:len(parts)-1], func(word string) bool { return slices.Contains(authorizing, word) }) &&
		composed.MatchString(value)
}

// authorizing are words before that one in the names of secrets.
var authorizing = []string{"access", "auth", "api", "bearer", "refresh", "session", "csrf", "secret", "id", "jwt", "oauth"}

// composed matches an object with named members, or with several, as debuggers write it.
var composed = pattern.New(`^[*&]?(?:[\pL_$][\pL\pN_.$:]*\s?[({]|\{)\s*[\pL_$][\pL\pN_$]*\s?[:=]|^[*&]?[\pL_$][\pL\pN_.$:]*\s?[({].*,.*[)}]$`)

// Command masks a command line: also the words that follow an option, and
// assignments in any case.
func (m *Masker) Command(line string) string {
	if m == nil {
		return line
	}
	list := strings.Split(line, " ")
	for i, word := range list {
		name, value, assigned := strings.Cut(word, "=")
		switch {
		case assigned && value != "" && Name(name):
			list[i] = name + "=" + Mask
		case i > 0 && isOption(list[i-1]) && Name(list[i-1]) && word != "" && !isOption(word):
			list[i] = Mask
		}
	}
	return m.Text(strings.Join(list, " "))
}

// isOption says that an argument is the name of an option, perhaps the first of a
// list that was printed.
func isOption(arg string) bool {
	return strings.HasPrefix(strings.TrimLeft(arg, `["'(`), "-") && !strings.Contains(arg, "=")
}
