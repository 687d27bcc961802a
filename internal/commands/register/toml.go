package register

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlDocument is TOML. What is read is what a TOML library says; what is written is
// lines, for no library keeps comments. Tables that stand inline or under dotted
// names are read, and not changed.
type tomlDocument struct {
	text    []byte
	newline string
}

// errForm is the reason why a table that could be written in another way is left alone.
var errForm = errors.New("it is written inline or with dotted names, which is not changed here: change it by hand")

func parseTOML(text []byte) (*tomlDocument, error) {
	d := &tomlDocument{text: slices.Clone(text), newline: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		d.newline = "\r\n"
	}
	_, err := d.read()
	return d, err
}

func (d *tomlDocument) bytes() []byte { return d.text }

func (d *tomlDocument) read() (map[string]any, error) {
	all := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(d.text, mark), &all)
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := wrong.Position()
		return nil, fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	return all, err
}

func (d *tomlDocument) get(path []string) (any, bool) {
	all, err := d.read()
	if err != nil {
		return nil, false
	}
	var at any = all
	for _, name := range path {
		table, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = table[name]; !ok {
			return nil, false
		}
	}
	return plainValue(at), true
}

// block is the part of a file that one header begins.
type block struct {
	path       []string
	start, end int // from the header's line to behind its last line that is no comment and not empty
	lines      []line
}

// line is a name with its value.
type line struct {
	name       []string
	start, end int // whole lines
	value      span
}

// span is a value where it stands, if that is known.
type span struct{ start, end int }

// blocks are the tables with headers, in the order of the file; the first is the
// root.
func (d *tomlDocument) blocks() ([]block, error) {
	text := bytes.TrimPrefix(d.text, mark)
	shift := len(d.text) - len(text)
	var p unstable.Parser
	p.Reset(text)
	found := []block{{}}
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable && e.Kind != unstable.KeyValue {
			continue
		}
		var path []string
		first := -1
		for k := e.Key(); k.Next(); {
			if first < 0 {
				first = int(k.Node().Raw.Offset)
			}
			path = append(path, string(k.Node().Data))
		}
		start := shift + first
		start = bytes.LastIndexByte(d.text[:start], '\n') + 1
		if e.Kind == unstable.KeyValue {
			at := span{}
			if v := e.Value(); v.Raw.Length > 0 && (v.Kind == unstable.String || v.Kind == unstable.Integer || v.Kind == unstable.Bool) {
				at = span{shift + int(v.Raw.Offset), shift + int(v.Raw.Offset) + int(v.Raw.Length)}
			}
			last := &found[len(found)-1]
			last.lines = append(last.lines, line{name: path, start: start, value: at})
			continue
		}
		if e.Kind == unstable.ArrayTable {
			path = append(path, "[]")
		}
		found = append(found, block{path: path, start: start})
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("reading TOML: %w", err)
	}
	for i := range found {
		b := &found[i]
		next := len(d.text)
		if i+1 < len(found) {
			next = found[i+1].start
		}
		b.end = d.lastLine(b.start, next)
		for n := range b.lines {
			until := b.end
			if n+1 < len(b.lines) {
				until = b.lines[n+1].start
			}
			b.lines[n].end = d.lastLine(b.lines[n].start, until)
		}
	}
	return found, nil
}

// lastLine is the end of the last line between two places that says something.
func (d *tomlDocument) lastLine(start, end int) int {
	for end > start {
		begin := bytes.LastIndexByte(d.text[start:end-1], '\n') + 1 + start
		if said := bytes.TrimSpace(d.text[begin:end]); len(said) > 0 && said[0] != '#' {
			return end
		}
		end = begin
	}
	return end
}

func (d *tomlDocument) set(path []string, value any) error {
	table, isTable := value.(fields)
	if _, there := d.get(path); isTable && !there {
		return d.appendTable(path, table)
	}
	if isTable {
		for _, f := range table {
			if err := d.set(append(slices.Clone(path), f.Name), f.Value); err != nil {
				return err
			}
		}
		return nil
	}
	b, err := d.block(path[:len(path)-1])
	if err != nil {
		return err
	}
	written, err := tomlValue(value)
	if err != nil {
		return err
	}
	name := path[len(path)-1]
	for _, l := range b.lines {
		if !slices.Equal(l.name, []string{name}) {
			continue
		}
		if l.value.end > 0 {
			d.text = slices.Concat(d.text[:l.value.start], []byte(written), d.text[l.value.end:])
			return nil
		}
		d.text = slices.Concat(d.text[:l.start], []byte(key(name)+" = "+written+d.newline), d.text[l.end:])
		return nil
	}
	if _, there := d.get(path); there {
		return fmt.Errorf("%s: %w", dottedPath(path), errForm)
	}
	d.insert(b.end, key(name)+" = "+written+d.newline)
	return nil
}

// insert puts lines at the end of others.
func (d *tomlDocument) insert(at int, lines string) {
	if at > 0 && d.text[at-1] != '\n' {
		lines = d.newline + lines
	}
	d.text = slices.Concat(d.text[:at], []byte(lines), d.text[at:])
}

// appendTable puts a new table at the end of the file.
func (d *tomlDocument) appendTable(path []string, table fields) error {
	blocks, err := d.blocks()
	if err != nil {
		return err
	}
	for n := 1; n < len(path); n++ {
		_, there := d.get(path[:n])
		headed := slices.ContainsFunc(blocks, func(b block) bool { return len(b.path) >= n && slices.Equal(b.path[:n], path[:n]) })
		if there && !headed {
			return fmt.Errorf("%s: %w", dottedPath(path[:n]), errForm)
		}
	}
	keys := make([]string, len(path))
	for i, name := range path {
		keys[i] = key(name)
	}
	var out strings.Builder
	if len(bytes.TrimSpace(d.text)) > 0 {
		out.WriteString(d.newline)
	}
	fmt.Fprintf(&out, "[%s]%s", strings.Join(keys, "."), d.newline)
	for _, f := range table {
		written, err := tomlValue(f.Value)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s = %s%s", key(f.Name), written, d.newline)
	}
	d.insert(len(d.text), out.String())
	return nil
}

// block is that of a table with a header.
func (d *tomlDocument) block(path []string) (block, error) {
	blocks, err := d.blocks()
	if err != nil {
		return block{}, err
	}
	for _, b := range blocks {
		if len(b.path) == len(path) && slices.Equal(b.path, path) {
			return b, nil
		}
	}
	return block{}, fmt.Errorf("%s: %w", dottedPath(path), errForm)
}

func (d *tomlDocument) remove(path []string) error {
	value, there := d.get(path)
	if !there {
		return fmt.Errorf("there is no %s", dottedPath(path))
	}
	if _, isTable := value.(map[string]any); !isTable {
		b, err := d.block(path[:len(path)-1])
		if err != nil {
			return err
		}
		for _, l := range b.lines {
			if slices.Equal(l.name, path[len(path)-1:]) {
				d.text = slices.Concat(d.text[:l.start], d.text[l.end:])
				return nil
			}
		}
		return fmt.Errorf("%s: %w", dottedPath(path), errForm)
	}
	blocks, err := d.blocks()
	if err != nil {
		return err
	}
	removed := false
	for _, b := range slices.Backward(blocks) { // with the tables in it
		if len(b.path) >= len(path) && slices.Equal(b.path[:len(path)], path) {
			d.cut(b.start, b.end)
			removed = true
		}
	}
	if !removed {
		return fmt.Errorf("%s: %w", dottedPath(path), errForm)
	}
	return nil
}

// cut takes lines away, and one of the empty lines round them.
func (d *tomlDocument) cut(start, end int) {
	before := d.text[:start]
	if trimmed, ok := bytes.CutSuffix(before, []byte(d.newline+d.newline)); ok {
		before = append(slices.Clone(trimmed), d.newline...)
	} else if string(before) == d.newline {
		before = nil
	}
	d.text = slices.Concat(before, d.text[end:])
}

func (d *tomlDocument) add(path []string, _ string) error {
	return fmt.Errorf("%s: %w", dottedPath(path), errors.ErrUnsupported)
}

func (d *tomlDocument) drop(path []string, _ string) error {
	return fmt.Errorf("%s: %w", dottedPath(path), errors.ErrUnsupported)
}

// tomlValue is a text, a number, a truth or a list of texts.
func tomlValue(v any) (string, error) {
	if list, ok := v.([]string); ok {
		quoted := make([]string, len(list))
		for i, text := range list {
			quoted[i] = quote(text)
		}
		return "[" + strings.Join(quoted, ", ") + "]", nil
	}
	text, err := marshal(v)
	return string(text), err
}

// key is a name as TOML writes it.
func key(name string) string {
	for _, r := range name {
		if r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return quote(name)
		}
	}
	return name
}
