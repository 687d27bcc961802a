package caller

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ErrUnfinished says that more lines belong to what was typed.
var ErrUnfinished = errors.New("more is to come")

// Arguments reads the arguments of a call as a person types them: a JSON object, or
// words of the form name=value. Behind an object a remark may stand, two spaces
// away, as in the next steps of a reply.
func (t Tool) Arguments(text string) (json.RawMessage, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return json.RawMessage("{}"), nil
	}
	if strings.HasPrefix(trimmed, "{") {
		return object(trimmed)
	}
	words, err := splitWords(trimmed)
	if err != nil {
		return nil, err
	}
	return t.Words(words)
}

// object is the JSON object that a text begins with.
func object(text string) (json.RawMessage, error) {
	d := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	switch err := d.Decode(&raw); {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, ErrUnfinished
	case err != nil:
		if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("this is no JSON at character %d: %w", wrong.Offset, err)
		}
		return nil, fmt.Errorf("this is no JSON: %w", err)
	}
	rest := text[d.InputOffset():]
	if strings.TrimSpace(rest) != "" && !strings.HasPrefix(rest, "  ") {
		return nil, fmt.Errorf("behind the object stands %q", strings.TrimSpace(rest))
	}
	return raw, nil
}

// Words reads arguments of the form name=value. A value is a text where the
// parameter is one, else JSON if it can be read as such. The name may be left out
// before a value that only one parameter has, such as out.
func (t Tool) Words(words []string) (json.RawMessage, error) {
	var out bytes.Buffer
	seen := map[string]bool{}
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			name, value = t.owner(word), word
		}
		if name == "" {
			return nil, fmt.Errorf("%q is no argument: want name=value, or a JSON object; %s takes %s", word, t.Name, t.paramNames())
		}
		if seen[name] {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		seen[name] = true
		if out.Len() > 0 {
			out.WriteByte(',')
		}
		written := json.RawMessage(value)
		if p, _ := t.Param(name); p.Type == "string" || !json.Valid(written) {
			written, _ = json.Marshal(value) // a text can always be written
		}
		key, _ := json.Marshal(name)
		fmt.Fprintf(&out, "%s:%s", key, written)
	}
	return json.RawMessage("{" + out.String() + "}"), nil
}

// owner is the one parameter that has a word among its values.
func (t Tool) owner(word string) string {
	found := ""
	for _, p := range t.Params {
		if p.Type == "boolean" || !slices.Contains(p.Values, word) {
			continue
		}
		if found != "" {
			return ""
		}
		found = p.Name
	}
	return found
}

func (t Tool) paramNames() string {
	var names []string
	for _, p := range t.Params {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// splitWords splits words at spaces that stand in no quotes, brackets or braces. In
// single and double quotes a word has what stands there; those within a value that
// is JSON belong to it.
func splitWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun, depth := false, 0
	var quote rune
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			if escaped = false; depth > 0 || r != '"' && r != '\\' {
				word.WriteRune('\\')
			}
			word.WriteRune(r)
		case r == '\\' && quote == '"':
			escaped = true
		case quote != 0:
			if r == quote {
				quote = 0
				if depth > 0 {
					word.WriteRune(r)
				}
				continue
			}
			word.WriteRune(r)
		case r == '"' || r == '\'' && depth == 0:
			if quote, begun = r, true; depth > 0 {
				word.WriteRune(r)
			}
		case r == ' ' && depth == 0 || r == '\t' && depth == 0:
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			begun = true
			if strings.HasSuffix(word.String(), "=") && (r == '[' || r == '{') || depth > 0 && (r == '[' || r == '{') {
				depth++
			} else if depth > 0 && (r == ']' || r == '}') {
				depth--
			}
			word.WriteRune(r)
		}
	}
	if quote != 0 || depth > 0 {
		return nil, ErrUnfinished
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}
