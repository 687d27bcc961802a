// Package frame reads as much of a JSON-RPC message as one who passes it on must
// know (whether it asks, tells or answers, its id, its method), and leaves every
// byte of it as it came: numbers of any size, members that nobody knows, their
// order. One value can be put in the place of another where ids must differ.
//
// It knows no method of MCP and no transport.
package frame

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// What is wrong with a message, in the words of the error that answers it.
var (
	ErrNotJSON = errors.New("parse error: it is not JSON")
	ErrBatch   = errors.New("a batch: send one message at a time")
	ErrMessage = errors.New("invalid request: it is neither a request nor a notification nor an answer")
	errMembers = fmt.Errorf("invalid request: a message, its params and their _meta may have %d members each", maxMembers)
)

// What a message is told apart by is kept, and repeated, for as long as its
// request waits: ids, tokens of progress and names of methods have few bytes.
// MaxName bounds each of them. maxMembers bounds those of an object that is looked into.
const (
	MaxName    = 1 << 10
	maxMembers = 10_000
)

// Kind is what a message is.
type Kind int

// A request has a method and an id, a notification a method only, an answer an id or an error only.
const (
	Request Kind = iota + 1
	Notification
	Answer
)

// Frame is one message on one line. The zero Frame is none.
type Frame struct {
	raw    []byte
	top    []member
	kind   Kind
	id     json.RawMessage
	method string
}

// Parse reads one message. Line breaks, which JSON allows and a line does not,
// are taken out; nothing else is changed. The frame keeps the bytes it is given,
// unless most of what would be kept is space around them.
func Parse(message []byte) (Frame, error) {
	read := cap(message)
	message = trim(message)
	if !json.Valid(message) {
		return Frame{}, ErrNotJSON
	}
	switch {
	case message[0] == '[':
		return Frame{}, ErrBatch
	case message[0] != '{':
		return Frame{}, ErrMessage
	case bytes.ContainsAny(message, "\r\n"):
		var line bytes.Buffer
		_ = json.Compact(&line, message) // it is valid
		message = line.Bytes()
	case read > 2*len(message)+smallest:
		message = bytes.Clone(message)
	}
	f := Frame{raw: message}
	if err := f.classify(); err != nil {
		return Frame{}, err
	}
	return f, nil
}

// trim takes away what JSON takes for space; Unicode has more of it.
func trim(message []byte) []byte { return bytes.Trim(message, " \t\r\n") }

// smallest is what space may cost that is kept, in bytes.
const smallest = 4 << 10

// Batch is the messages of an array, each of which may be wrong by itself, up to
// one more than most: what is behind them is not looked at. False: it is no array.
func Batch(message []byte, most int) ([]json.RawMessage, bool) {
	message = trim(message)
	if len(message) == 0 || message[0] != '[' || !json.Valid(message) {
		return nil, false
	}
	several := []json.RawMessage{}
	for element := range elements(message) {
		if several = append(several, element); len(several) > most {
			break
		}
	}
	return several, true
}

func (f *Frame) classify() error {
	var ok bool
	if f.top, ok = members(f.raw, 0); !ok {
		return errMembers
	}
	// Of two members of one name one reader takes the first and another the last.
	for _, path := range [][]string{nil, {"params"}, {"params", "_meta"}} {
		within, ok := f.membersAt(path...)
		if !ok {
			return errMembers
		}
		if name, twice := twin(within); twice {
			return fmt.Errorf("invalid request: %q stands in it twice", name)
		}
	}
	if string(f.Get("jsonrpc")) != `"2.0"` {
		return errors.New(`invalid request: jsonrpc must be "2.0"`)
	}
	f.id = f.Name("id")
	if string(f.id) == "null" {
		f.id = nil
	}
	if f.id != nil && !isID(f.id) {
		return errors.New("invalid request: an id is a string or a number")
	}
	method := f.Get("method")
	switch {
	case len(f.id) > MaxName:
		return fmt.Errorf("invalid request: an id may have %d bytes", MaxName)
	case len(method) > MaxName:
		return fmt.Errorf("invalid request: the name of a method may have %d bytes", MaxName)
	case len(f.Get("params", "_meta", "progressToken")) > MaxName:
		return fmt.Errorf("invalid request: a progressToken may have %d bytes", MaxName)
	}
	switch {
	case method != nil:
		if json.Unmarshal(method, &f.method) != nil || method[0] != '"' {
			return errors.New("invalid request: method must be a string")
		}
		f.kind = Notification
		if f.id != nil {
			f.kind = Request
		}
	case f.id != nil && (f.Get("result") != nil || f.Get("error") != nil), f.Get("error") != nil:
		f.kind = Answer
	default:
		return ErrMessage
	}
	return nil
}

func isID(raw json.RawMessage) bool {
	return raw[0] == '"' || raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9'
}

// Kind is what the message is.
func (f Frame) Kind() Kind { return f.kind }

// ID is that of a request or an answer as Name has it, nil if there is none.
func (f Frame) ID() json.RawMessage { return f.id }

// Method is empty for an answer.
func (f Frame) Method() string { return f.method }

// Bytes is the message on one line, without its end.
func (f Frame) Bytes() []byte { return f.raw }

// Get is the value that is found by going down the names, nil if there is none.
func (f Frame) Get(path ...string) json.RawMessage {
	m, ok := f.find(path)
	if !ok {
		return nil
	}
	return json.RawMessage(f.raw[m.from:m.to])
}

// Text is the string that is found there, empty if there is none.
func (f Frame) Text(path ...string) string {
	raw := f.Get(path...)
	var text string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// Name is the id or the token that is found there, in one spelling of its text:
// who answers may write a character as it is that was escaped, or the other way round.
func (f Frame) Name(path ...string) json.RawMessage {
	raw := f.Get(path...)
	if len(raw) == 0 || raw[0] != '"' {
		return raw
	}
	var one bytes.Buffer
	encoder := json.NewEncoder(&one)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(f.Text(path...)) // a string can be written
	return bytes.TrimSpace(one.Bytes())
}

// With is the frame with another value in the place of the one that is found
// there, and the same frame if there is none.
func (f Frame) With(value []byte, path ...string) Frame {
	m, ok := f.find(path)
	if !ok {
		return f
	}
	raw := make([]byte, 0, len(f.raw)+len(value))
	raw = append(append(append(raw, f.raw[:m.from]...), value...), f.raw[m.to:]...)
	g := Frame{raw: raw}
	if g.classify() != nil {
		return f
	}
	return g
}

// Put is the frame with a member of one of its objects set. Neither the member nor the object need
// be there; if there is something else in the object's place, the frame stays as it is.
func (f Frame) Put(value any, object, name string) Frame {
	members := map[string]json.RawMessage{}
	if raw := f.Get(object); len(raw) > 0 && raw[0] == '{' && json.Unmarshal(raw, &members) != nil {
		return f
	}
	text, err := json.Marshal(value)
	if err != nil {
		return f
	}
	members[name] = text
	whole, err := json.Marshal(members)
	if err != nil {
		return f
	}
	return f.With(whole, object)
}

// find looks a value up; of two of one name below the top the last counts, as for most readers.
func (f Frame) find(path []string) (found member, ok bool) {
	within := slices.Values(f.top)
	for _, name := range path {
		ok = false
		for m := range within {
			if m.name == name {
				found, ok = m, true
			}
		}
		if !ok {
			return member{}, false
		}
		within = f.membersOf(found)
	}
	return found, ok
}

// membersAt are the members of the object that is found there, the frame's own where
// the path is empty, none if there is no object. False: there are too many.
func (f Frame) membersAt(path ...string) ([]member, bool) {
	if len(path) == 0 {
		return f.top, true
	}
	m, ok := f.find(path)
	if !ok || f.raw[m.from] != '{' {
		return nil, true
	}
	return members(f.raw[m.from:m.to], m.from)
}

func (f Frame) membersOf(m member) iter.Seq[member] {
	if f.raw[m.from] != '{' {
		return func(func(member) bool) {}
	}
	return eachMember(f.raw[m.from:m.to], m.from)
}
