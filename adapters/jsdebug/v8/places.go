// Package v8 reads what V8's profilers write: profiles of processor time, samples of the
// heap, snapshots of it. It makes neutral profiles of them, with places where the sources were
// written. It knows neither node nor how a profile comes about.
package v8

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"path/filepath"
	"sort"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
)

// Places find where code was written that V8 knows by address, line and column.
type Places struct {
	// Said are the source maps' addresses by those of their scripts, as V8 tells them.
	Said map[string]string
	maps map[string]*sourceMap
}

// At is where a place of a script was written; lines and columns of V8 count from 0, what is
// given counts from 1.
func (p *Places) At(script string, line, column int) (file string, at int) {
	file = pathOf(script)
	if line < 0 {
		return file, 0
	}
	if p.maps == nil {
		p.maps = map[string]*sourceMap{}
	}
	m, known := p.maps[script]
	if !known {
		m = readMap(file, p.Said[script])
		p.maps[script] = m
	}
	if m != nil {
		if source, n, ok := m.find(line, column); ok {
			return source, n + 1
		}
	}
	return file, line + 1
}

// pathOf is the path of an address of a file; others are left as they are.
func pathOf(address string) string {
	if !strings.HasPrefix(address, "file:") {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return strings.TrimPrefix(address, "file://")
	}
	return filepath.FromSlash(u.Path)
}

// sourceMap is what a script was made of.
type sourceMap struct {
	sources []string // absolute paths
	lines   [][]mapping
}

type mapping struct{ column, source, line int }

// mostMap bounds a source map, in bytes.
const mostMap = 64 << 20

func readMap(script, said string) *sourceMap {
	if said == "" {
		return nil
	}
	base, text := script, []byte(nil)
	if strings.HasPrefix(said, "data:") {
		head, body, _ := strings.Cut(said, ",")
		if decoded, err := base64.StdEncoding.DecodeString(body); strings.HasSuffix(head, ";base64") && err == nil {
			text = decoded
		} else if plain, err := url.PathUnescape(body); err == nil {
			text = []byte(plain)
		}
	} else {
		base = pathOf(said)
		if !filepath.IsAbs(base) {
			base = filepath.Join(filepath.Dir(script), filepath.FromSlash(base))
		}
		text, _ = boundedfile.Read(base, mostMap) // the program says where it lies
	}
	var m struct {
		SourceRoot string   `json:"sourceRoot"`
		Sources    []string `json:"sources"`
		Mappings   string   `json:"mappings"`
	}
	if json.Unmarshal(text, &m) != nil || m.Mappings == "" {
		return nil
	}
	made := &sourceMap{lines: decodeMappings(m.Mappings)}
	for _, s := range m.Sources {
		path := pathOf(s)
		if path == "" { // node's own map of what it makes of TypeScript
			path = script
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(base), filepath.FromSlash(m.SourceRoot), filepath.FromSlash(path))
		}
		made.sources = append(made.sources, path)
	}
	return made
}

// find is what stands at a place, or what begins before it in its line, or else first in it.
func (m *sourceMap) find(line, column int) (source string, at int, ok bool) {
	if line >= len(m.lines) || len(m.lines[line]) == 0 {
		return "", 0, false
	}
	list := m.lines[line]
	i := max(sort.Search(len(list), func(i int) bool { return list[i].column > column })-1, 0)
	found := list[i]
	if found.source < 0 || found.source >= len(m.sources) {
		return "", 0, false
	}
	return m.sources[found.source], found.line, true
}

// decodeMappings reads the mappings of a source map: for each line of the script segments of
// numbers in base 64, each the difference to the one before.
func decodeMappings(text string) [][]mapping {
	var lines [][]mapping
	var source, line int
	for part := range strings.SplitSeq(text, ";") {
		var list []mapping
		column := 0
		for segment := range strings.SplitSeq(part, ",") {
			numbers := decodeNumbers(segment)
			if len(numbers) == 0 {
				continue
			}
			column += numbers[0]
			if len(numbers) < 4 {
				list = append(list, mapping{column, -1, 0})
				continue
			}
			source += numbers[1]
			line += numbers[2]
			list = append(list, mapping{column, source, line})
		}
		lines = append(lines, list)
	}
	return lines
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

func decodeNumbers(segment string) []int {
	var numbers []int
	value, shift := 0, 0
	for i := range len(segment) {
		digit := strings.IndexByte(digits, segment[i])
		if digit < 0 {
			return nil
		}
		value |= digit & 31 << shift
		if shift += 5; digit&32 != 0 {
			if shift > 30 {
				return nil
			}
			continue
		}
		if value&1 != 0 {
			numbers = append(numbers, -(value >> 1))
		} else {
			numbers = append(numbers, value>>1)
		}
		value, shift = 0, 0
	}
	return numbers
}
