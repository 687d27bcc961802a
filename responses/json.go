package responses

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// maxSafeInteger is the largest integer that every JSON reader keeps exactly.
const maxSafeInteger = 1<<53 - 1

// ID is a number that identifies something: a thread, a process. Above 2^53 it
// is written as a string, because many readers would round it.
type ID int64

// MarshalJSON writes a number, or a string where a number would not survive.
func (id ID) MarshalJSON() ([]byte, error) {
	digits := strconv.FormatInt(int64(id), 10)
	if id > maxSafeInteger || id < -maxSafeInteger {
		digits = strconv.Quote(digits)
	}
	return []byte(digits), nil
}

// encode is json.Marshal without HTML escaping: a program's <nil> stays <nil>.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// size is the length of v as JSON.
func size(v any) int {
	b, err := encode(v)
	if err != nil {
		return 0
	}
	return len(b)
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value any
}

// Object is written with its members in the order given, which maps do not keep.
type Object []Member

// MarshalJSON writes {"name": value, …}. A name that comes twice (a shadowed
// variable) is told apart by a number.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	taken := make(map[string]bool, len(o))
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := encode(unique(m.Name, taken))
		if err != nil {
			return nil, err
		}
		value, err := encode(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// unique is name, or "name #2" and so on when it is taken, and takes it.
func unique(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[free]; n++ {
		free = name + " #" + strconv.Itoa(n)
	}
	taken[free] = true
	return free
}
