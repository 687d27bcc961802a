package tools

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// plain decodes a text, a number or a boolean.
func (d decoder) plain(v value, into reflect.Value) error {
	switch into.Kind() {
	case reflect.Bool:
		return boolean(v, into)
	case reflect.Int, reflect.Int64:
		return integer(v, into)
	}
	return text(v, into)
}

func boolean(v value, into reflect.Value) error {
	switch strings.ToLower(bareText(v)) {
	case "true":
		into.SetBool(true)
	case "false":
		into.SetBool(false)
	default:
		return wrongValueError(v, "true or false", "true")
	}
	return nil
}

func integer(v value, into reflect.Value) error {
	n, ok := wholeNumber(bareText(v))
	if !ok || (v.min != nil && n < *v.min) || (v.max != nil && n > *v.max) {
		return wrongValueError(v, wantInteger(v), strconv.FormatInt(clamp(n, v), 10))
	}
	into.SetInt(n)
	return nil
}

// longestNumber bounds the digits that are looked at.
const longestNumber = 40

// wholeNumber reads an integer from its digits; "42.0" and "1e3" are integers too.
func wholeNumber(s string) (int64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	if len(s) > longestNumber || !strings.ContainsAny(s, ".eE") {
		return 0, false
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(s), "e"); ok && len(exponent) > 3 {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

func wantInteger(v value) string {
	switch {
	case v.min != nil && v.max != nil:
		return fmt.Sprintf("an integer from %d to %d", *v.min, *v.max)
	case v.min != nil:
		return fmt.Sprintf("an integer of at least %d", *v.min)
	}
	return "an integer"
}

// clamp is the number nearest to n that would be accepted.
func clamp(n int64, v value) int64 {
	if v.max != nil {
		n = min(n, *v.max)
	}
	if v.min != nil {
		n = max(n, *v.min)
	}
	return n
}

// text decodes a string; a bare number or boolean stands for its own text.
func text(v value, into reflect.Value) error {
	if v.raw[0] == '{' || v.raw[0] == '[' || v.isMissing() {
		return wrongValueError(v, "a string", `"text"`)
	}
	s, ok := v.text()
	if !ok {
		s = string(v.raw)
	}
	if v.enum != nil {
		word, ok := resolve(s, v.enum)
		if !ok {
			return misspeltError(v, s)
		}
		s = word
	}
	into.SetString(s)
	return nil
}

// bareText is a plain value without its quotes.
func bareText(v value) string {
	if s, ok := v.text(); ok {
		return strings.TrimSpace(s)
	}
	return string(v.raw)
}

// describe says what a JSON value is, for people.
func describe(raw json.RawMessage) string {
	const longest = 60
	shown := string(raw)
	if len(shown) > longest {
		shown = strings.ToValidUTF8(shown[:longest], "") + "…"
	}
	switch {
	case len(raw) == 0 || shown == "null":
		return "null"
	case raw[0] == '"':
		return "the string " + shown
	case raw[0] == '{':
		return "the object " + shown
	case raw[0] == '[':
		return "the list " + shown
	case shown == "true" || shown == "false":
		return "the boolean " + shown
	}
	return "the number " + shown
}
