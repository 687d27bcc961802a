package launch

import (
	"encoding/json"
	"fmt"
	"strings"
)

// words is a list of texts, or one text that is split as a shell splits it.
type words []string

// UnmarshalJSON takes either form.
func (w *words) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		return json.Unmarshal(b, (*[]string)(w))
	}
	list, err := splitWords(text)
	*w = list
	return err
}

// splitWords splits a text at blanks that are not in quotes. Quotes and
// backslashes mean what they mean to a shell, but for a backslash before
// anything that needs none, which stays: paths of Windows are written with it.
// Nothing is expanded.
func splitWords(text string) ([]string, error) {
	var list []string
	var word strings.Builder
	var quote rune // that is open, 0 for none
	begun := false // an empty word in quotes is one
	letters := []rune(text)
	for i := 0; i < len(letters); i++ {
		r := letters[i]
		switch {
		case r == '\\' && quote != '\'' && i+1 < len(letters) && escapable(letters[i+1], quote):
			i++
			word.WriteRune(letters[i])
			begun = true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && strings.ContainsRune(" \t\r\n", r):
			if begun {
				list = append(list, word.String())
				word.Reset()
			}
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c in %q is not closed", quote, text)
	}
	if begun {
		list = append(list, word.String())
	}
	return list, nil
}

// escapable says that a backslash before the letter takes its meaning from it.
func escapable(r, quote rune) bool {
	if quote == '"' {
		return r == '"' || r == '\\'
	}
	return strings.ContainsRune(" \t\r\n\"'\\", r)
}
