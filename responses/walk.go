package responses

import (
	"bytes"
	"encoding/json"
	"strings"
)

// walk writes any value by what it is as JSON, in that order, so that nothing is
// left out of what has no words of its own.
func (p *page) walk(name string, v any) {
	raw, err := encode(v)
	if err != nil {
		return
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if tree, err := readTree(d); err == nil {
		p.tree(name, tree)
	}
}

// place is an object that is a place in a file with what is to be said of it, as
// compilers write that. What the reply has said is not repeated.
func (t *tree) place(p *page) (text string, ok bool) {
	for i, name := range t.names {
		switch {
		case t.items[i].open != 0:
			return "", false
		case name == "file":
			text = t.items[i].text
		case text != "" && (name == "line" || name == "column"):
			text += ":" + t.items[i].text
		case text == "" || name != "message" || i != len(t.items)-1:
			return "", false
		case !p.says(t.items[i].text):
			text += ": " + t.items[i].text
		}
	}
	return text, text != ""
}

// tree is a value of JSON: a text, or items, which have names in an object.
type tree struct {
	text  string
	open  json.Delim // '{', '[' or 0
	names []string
	items []tree
}

func readTree(d *json.Decoder) (tree, error) {
	token, err := d.Token()
	if err != nil {
		return tree{}, err
	}
	switch token := token.(type) {
	case json.Delim:
		return readItems(d, token)
	case string:
		return tree{text: token}, nil
	case json.Number:
		return tree{text: token.String()}, nil
	case bool:
		if token {
			return tree{text: "true"}, nil
		}
		return tree{text: "false"}, nil
	}
	return tree{}, nil // null
}

func readItems(d *json.Decoder, open json.Delim) (tree, error) {
	t := tree{open: open}
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return t, err
			}
			t.names = append(t.names, name.(string))
		}
		item, err := readTree(d)
		if err != nil {
			return t, err
		}
		t.items = append(t.items, item)
	}
	_, err := d.Token() // the closing one
	return t, err
}

// tree writes a value; one without a name stands at the margin.
func (p *page) tree(name string, t tree) {
	write := func() {
		for i, item := range t.items {
			if t.open == '{' {
				p.tree(inline(t.names[i]), item)
			} else {
				p.item(item)
			}
		}
	}
	switch texts, flat := t.flat(p); {
	case t.open == 0 && name == "":
		p.line("%s", t.text)
	case t.open == 0:
		p.fact(name, t.text)
	case t.open == '[' && flat && name != "":
		if !p.saysAll(texts) {
			p.list(name, texts)
		}
	case name == "":
		write()
	default:
		p.under(name, write)
	}
}

// flat are the texts of a list, if it holds nothing but texts and places.
func (t *tree) flat(p *page) (texts []string, ok bool) {
	for _, item := range t.items {
		text := item.text
		if item.open != 0 {
			if text, ok = item.place(p); !ok {
				return nil, false
			}
		}
		texts = append(texts, text)
	}
	return texts, true
}

// item writes one of a list: a dash, and what it holds.
func (p *page) item(t tree) {
	if t.open == 0 {
		p.line("%s", t.text)
		return
	}
	begun := len(p.b)
	p.within("  ", func() { p.tree("", t) }) // as wide as the dash
	if head := begun + len(p.margin); len(p.b) > head {
		copy(p.b[head:], "- ")
	}
}

// inlineTree is what walk writes, in one line where that holds it.
func inlineTree(v any) string {
	p := &page{}
	p.walk("", v)
	return strings.TrimSuffix(string(p.b), "\n")
}
