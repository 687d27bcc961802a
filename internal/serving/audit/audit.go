// Package audit keeps a record of acts: who asked for what, where and when, and what came
// of it. A line is written before an act begins, so that what ends us does not hide it,
// and another with its outcome.
//
// It knows of what is asked only where a message has its name.
package audit

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"
	"unicode/utf8"
)

// Act is what somebody asks for.
type Act struct {
	Principal string          `json:"principal"`
	From      string          `json:"from,omitempty"`      // the address that it comes from
	Gateway   string          `json:"gateway,omitempty"`   // by which it has come to this machine
	Workspace string          `json:"workspace,omitempty"` // of the machine, in which it is done
	IsPart    bool            `json:"part,omitempty"`      // of a call of another machine's worker; the arguments are what that asks
	Client    string          `json:"client,omitempty"`    // what the client calls itself
	Method    string          `json:"method"`
	Name      string          `json:"name,omitempty"`    // of the tool, the prompt or the resource
	Session   string          `json:"session,omitempty"` // of debugging, as it was given
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// The bounds of a line, in bytes.
const (
	maxArguments = 4 << 10
	maxWord      = 200
)

// Log is a file of lines of JSON. The nil Log keeps nothing. Its methods may be called
// from any goroutine.
type Log struct {
	name string
	mask func([]byte) []byte

	mu   sync.Mutex // guards the fields below
	file *os.File
	last int64
}

// asked and answered are the two kinds of lines; run and call together name an act.
type asked struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"`
	Run   int       `json:"run"` // the process that writes
	Call  int64     `json:"call"`
	Act
}

type answered struct {
	At      time.Time `json:"at"`
	Event   string    `json:"event"`
	Run     int       `json:"run"`
	Call    int64     `json:"call"`
	Outcome string    `json:"outcome"` // "ok", a code, "cancelled"
	Millis  int64     `json:"ms"`
}

// Open opens a file to append to, which only its owner can read. Mask hides secrets in
// JSON.
func Open(name string, mask func([]byte) []byte) (*Log, error) {
	l := &Log{name: name, mask: mask}
	return l, l.Reopen()
}

// Reopen begins the file anew, after it has been moved away.
func (l *Log) Reopen() error {
	if l == nil {
		return nil
	}
	file, err := os.OpenFile(l.name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("opening the audit log: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		_ = l.file.Close() // what was written has reached the system
	}
	l.file = file
	return nil
}

// Close closes the file.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}

// Begin notes an act. Done notes what came of it, and is called once. The error is that
// nothing could be written: then the act must not begin.
func (l *Log) Begin(a Act) (done func(outcome string), err error) {
	if l == nil {
		return func(string) {}, nil
	}
	a.Arguments = l.arguments(a.Arguments)
	for _, word := range []*string{&a.Client, &a.Method, &a.Name, &a.Session} {
		*word = cut(*word, maxWord)
	}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	call := l.last
	if err := l.write(asked{now.UTC(), "asked", os.Getpid(), call, a}); err != nil {
		return nil, err
	}
	return func(outcome string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		then := time.Now()
		_ = l.write(answered{then.UTC(), "answered", os.Getpid(), call, cut(outcome, maxWord), then.Sub(now).Milliseconds()}) // the act has been noted
	}, nil
}

// arguments are those that may be kept, shortened to a text where they are long.
func (l *Log) arguments(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	masked := l.mask(raw)
	if len(masked) <= maxArguments && json.Valid(masked) {
		return masked
	}
	text, _ := json.Marshal(cut(string(masked), maxArguments)) // a text can be written
	return text
}

// cut is the beginning of a text that is long.
func cut(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	for longest > 0 && !utf8.RuneStart(text[longest]) {
		longest--
	}
	return text[:longest] + "…"
}

// write appends a line in one piece; mu is held.
func (l *Log) write(line any) error {
	text, err := json.Marshal(line)
	if err == nil {
		_, err = l.file.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing the audit log: %w", err)
	}
	return nil
}
