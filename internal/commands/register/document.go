package register

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// document is a settings file in memory. A change of it leaves comments, order and
// layout of the rest as they were. A path names a value by the members that lead
// to it.
type document interface {
	// get is the value at a path as encoding/json has it.
	get(path []string) (value any, there bool)
	// set puts a value at a path, and the tables that lead there. Of a table
	// that is there already the given fields are set, and others stay.
	set(path []string, value any) error
	// add appends a text to the list at a path.
	add(path []string, text string) error
	// remove takes away the value at a path.
	remove(path []string) error
	// drop takes a text from the list at a path.
	drop(path []string, text string) error
	// bytes is the file.
	bytes() []byte
}

// field is a member of a table, with a text, a number, a truth, a list of texts or
// further fields.
type field struct {
	Name  string
	Value any
}

// fields is a table in the order in which it is written.
type fields []field

// MarshalJSON keeps the order.
func (f fields) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range f {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "%s:", quote(m.Name))
		value, err := marshal(m.Value)
		if err != nil {
			return nil, err
		}
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// marshal is a value as JSON on one line, with its texts as they are.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("writing a setting: %w", err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// quote is a text as JSON and as TOML write it.
func quote(text string) string {
	quoted, _ := marshal(text) // a text can always be written
	return string(quoted)
}

// plainValue is a value as encoding/json would have read it, so that two can be compared.
func plainValue(v any) any {
	text, err := marshal(v)
	if err != nil {
		return v
	}
	var read any
	if json.Unmarshal(text, &read) != nil {
		return v
	}
	return read
}

// mark is what some editors put before UTF-8.
var mark = []byte("\ufeff")

// parse reads a settings file by its name; none and an empty one are an empty table.
func parse(name string, text []byte) (document, error) {
	if strings.HasSuffix(name, ".toml") {
		return parseTOML(text)
	}
	return parseJSON(text)
}

// dottedPath is a path for people.
func dottedPath(path []string) string { return strings.Join(path, ".") }
