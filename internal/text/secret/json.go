package secret

import (
	"bytes"
	"encoding/json"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// literal is a text in JSON.
var literal = pattern.New(`"(?:[^"\\]|\\.)*"`)

// JSON masks the texts of a JSON document: those that are members with the name
// of a secret, that follow an option with such a name in a list, or that are
// secrets by their shape. The rest stays as it was written. What is no JSON is
// masked as a text too.
func (m *Masker) JSON(raw []byte) []byte {
	if m == nil {
		return raw
	}
	masked := eachText(raw, func(name, text string) string {
		if text != "" && Name(name) {
			return Mask
		}
		return m.Command(text)
	})
	if json.Valid(raw) {
		return masked
	}
	return []byte(m.Text(string(masked)))
}

// LearnJSON remembers the secrets of a document that JSON would mask by a name.
func (m *Masker) LearnJSON(raw []byte) {
	if m == nil {
		return
	}
	eachText(raw, func(name, text string) string {
		if Name(name) {
			m.know(text)
		} else if name, value, _ := strings.Cut(text, "="); Name(name) {
			m.know(value)
		}
		return text
	})
}

// eachText replaces each text of a document that is no name. The name is that of
// the member, the option before it, or the "name" beside a "value".
func eachText(raw []byte, replace func(name, text string) string) []byte {
	var out bytes.Buffer
	end, previous, key, beside := 0, "", "", ""
	for _, at := range literal.FindAllIndex(raw, -1) {
		between := string(bytes.TrimSpace(raw[end:at[0]]))
		out.Write(raw[end:at[0]])
		end = at[1]
		var text string
		if json.Unmarshal(raw[at[0]:at[1]], &text) != nil {
			out.Write(raw[at[0]:at[1]])
			continue
		}
		name := ""
		switch {
		case bytes.HasPrefix(bytes.TrimSpace(raw[end:]), []byte(":")): // a name itself
			key, previous = text, ""
			out.Write(raw[at[0]:at[1]])
			continue
		case between == ":":
			name = key
			if key == "value" && beside != "" {
				name = beside
			}
			if beside = ""; key == "name" {
				beside = text
			}
		case between == "," && isOption(previous):
			name = previous
		}
		previous = text
		if now := replace(name, text); now != text {
			quoted, _ := json.Marshal(now)
			out.Write(quoted)
			continue
		}
		out.Write(raw[at[0]:at[1]])
	}
	out.Write(raw[end:])
	return out.Bytes()
}
