package jsdebug

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
)

// mapTail is how much of a file's end is searched for the mark of its map.
const mapTail = 4096

const (
	mapMark   = "//# sourceMappingURL="
	inlineMap = "data:"
)

// mapOf is where a compiled file says that its source map is: a path, absolute,
// or "data:" for one within the file. Empty when it says nothing.
func mapOf(file string) string {
	f, err := boundedfile.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > mapTail {
		if _, err := f.Seek(-mapTail, io.SeekEnd); err != nil {
			return ""
		}
	}
	tail, err := io.ReadAll(f)
	if err != nil {
		return ""
	}
	_, after, found := bytes.Cut(tail, []byte(mapMark))
	if !found {
		// An inline map is longer than the tail: base64 without a line's end.
		if len(tail) == mapTail && bytes.Count(bytes.TrimSpace(tail), []byte("\n")) == 0 && !bytes.ContainsAny(tail, " ;()") {
			return inlineMap
		}
		return ""
	}
	mark := strings.TrimSpace(string(after))
	if strings.HasPrefix(mark, inlineMap) {
		return inlineMap
	}
	return filepath.Join(filepath.Dir(file), filepath.FromSlash(mark))
}

// checkMap says why breakpoints in a source cannot reach the code compiled from it.
func (j job) checkMap(source, out string) error {
	where := mapOf(out)
	shown, compiled := prepare.Show(j.Request, source), prepare.Show(j.Request, out)
	const again = "compile it again with source maps (npx tsc --sourceMap), or install tsx in the project (npm install --save-dev tsx)"
	switch where {
	case inlineMap:
		return nil
	case "":
		return fault.New(fault.InvalidTarget, "%s is compiled to %s without a source map", shown, compiled).WithField("target").WithHint(again)
	}
	text, err := boundedfile.ReadText(where)
	if err != nil {
		return fault.New(fault.InvalidTarget, "the source map of %s points nowhere: there is no %s", compiled, prepare.Show(j.Request, where)).
			WithField("target").WithHint(again)
	}
	var content struct {
		SourceRoot string   `json:"sourceRoot"`
		Sources    []string `json:"sources"`
	}
	if err := json.Unmarshal(text, &content); err != nil {
		return fault.New(fault.InvalidTarget, "the source map %s cannot be read: %w", prepare.Show(j.Request, where), err).
			WithField("target").WithHint(again)
	}
	for _, name := range content.Sources {
		if filepath.Base(filepath.FromSlash(name)) == filepath.Base(source) {
			return nil
		}
	}
	return fault.New(fault.InvalidTarget, "the source map %s does not lead to %s but to %s", prepare.Show(j.Request, where), shown,
		strings.Join(content.Sources, ", ")).WithField("target").WithHint(again)
}
