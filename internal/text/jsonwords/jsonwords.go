// Package jsonwords says in plain words why JSON could not be read: which field,
// what it holds and what belongs there. It also lists the texts in JSON.
//
// It knows nothing of who sent the JSON and what it is for.
package jsonwords

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Why is the reason in an error of reading JSON, without the names of types.
func Why(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		subject := "it is"
		if wrong.Field != "" {
			subject = fmt.Sprintf("%q is", wrong.Field)
		}
		return fmt.Sprintf("%s %s, not %s", subject, valueWords(wrong.Value), typeWords(wrong.Type))
	}
	if broken, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Sprintf("it is no JSON: %s (at byte %d)", broken.Error(), broken.Offset)
	}
	if _, ok := errors.AsType[base64.CorruptInputError](err); ok {
		return "where bytes belong stands another text"
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends before the JSON does"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// valueWords is what stands in the JSON.
func valueWords(value string) string {
	kind, rest, _ := strings.Cut(value, " ")
	switch {
	case kind == "string":
		return "a text"
	case kind == "array":
		return "a list"
	case kind == "object":
		return "an object"
	case kind == "bool":
		return "true or false"
	case kind == "number" && rest != "":
		return "the number " + rest
	}
	return "a " + value
}

// typeWords is what belongs there.
func typeWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number of 0 or more"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.String:
		return "a text"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Pointer:
		return typeWords(t.Elem())
	}
	return "what belongs there"
}

// Texts are all texts in a JSON document, the names of members too, up to where it
// breaks off.
func Texts(document []byte) (list []string) {
	d := json.NewDecoder(bytes.NewReader(document))
	for {
		token, err := d.Token()
		if err != nil {
			return list
		}
		if text, ok := token.(string); ok {
			list = append(list, text)
		}
	}
}
