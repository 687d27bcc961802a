package testkit

import (
	"bytes"
	"encoding/json"
	"strings"
)

// lineWidth is how long a value may be to stand on one line.
const lineWidth = 110

// Pretty shows JSON for people, keys in their order: what fits stands on one
// line, strings of several lines become blocks between """. Text that is not
// JSON comes back as it is.
func Pretty(text []byte) []byte {
	n, err := parse(text)
	if err != nil {
		return text
	}
	return []byte(n.String())
}

// node is one JSON value with the order of its keys.
type node struct {
	scalar string // as it stands in JSON, when it is neither list nor object
	isText bool
	text   string // of a string
	block  bool   // a string of several lines
	open   byte   // '{', '[' or 0
	keys   []string
	items  []node
}

func parse(text []byte) (node, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return readNode(d)
}

func (n node) String() string {
	var out strings.Builder
	n.write(&out, "")
	return out.String()
}

func (n *node) setText(text string) {
	*n = node{scalar: encode(text), isText: true, text: text, block: strings.Contains(strings.TrimSuffix(text, "\n"), "\n")}
}

func readNode(d *json.Decoder) (node, error) {
	token, err := d.Token()
	if err != nil {
		return node{}, err
	}
	if open, ok := token.(json.Delim); ok {
		return readItems(d, byte(open))
	}
	n := node{scalar: encode(token)}
	if s, ok := token.(string); ok {
		n.setText(s)
	}
	return n, nil
}

func readItems(d *json.Decoder, open byte) (node, error) {
	n := node{open: open}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return n, err
			}
			n.keys = append(n.keys, encode(key))
		}
		item, err := readNode(d)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, item)
	}
	_, err := d.Token() // the closing bracket
	return n, err
}

func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

func (n node) write(out *strings.Builder, indent string) {
	if line, ok := n.oneLine(); ok && len(indent)+len(line) <= lineWidth || n.open == 0 && !n.block {
		out.WriteString(line)
		return
	}
	inner := indent + "  "
	if n.block {
		out.WriteString(`"""`)
		for line := range strings.SplitSeq(n.text, "\n") {
			out.WriteString(strings.TrimRight("\n"+inner+line, " "))
		}
		out.WriteString(`"""`)
		return
	}
	out.WriteByte(n.open)
	for i, item := range n.items {
		out.WriteString("\n" + inner)
		if n.open == '{' {
			out.WriteString(n.keys[i] + ": ")
		}
		item.write(out, inner)
		if i < len(n.items)-1 {
			out.WriteByte(',')
		}
	}
	out.WriteString("\n" + indent)
	out.WriteByte(n.open + 2) // '}' follows '{' by two, as ']' does '['
}

// oneLine is the value on one line; false when a block is in it or it is too long.
func (n node) oneLine() (string, bool) {
	if n.block {
		return "", false
	}
	if n.open == 0 {
		return n.scalar, true
	}
	parts := make([]string, len(n.items))
	size := 0
	for i, item := range n.items {
		line, ok := item.oneLine()
		if size += len(line); !ok || size > lineWidth {
			return "", false
		}
		if n.open == '{' {
			line = n.keys[i] + ": " + line
		}
		parts[i] = line
	}
	return string(n.open) + strings.Join(parts, ", ") + string(n.open+2), true
}
