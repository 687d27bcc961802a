package project

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/tailscale/hujson"
)

// tsconfig is what a tsconfig.json says of where compiled code goes.
type tsconfig struct {
	CompilerOptions struct {
		OutDir          string
		NoEmit          bool
		SourceMap       bool
		InlineSourceMap bool
	}
}

// typescript notes the directory that a project of TypeScript is compiled into,
// which holds no sources, and says of it whether there are source maps.
func (s *scan) typescript(rel string) string {
	var c tsconfig
	text, err := hujson.Standardize([]byte(s.Read(rel)))
	if err != nil || json.Unmarshal(text, &c) != nil { // one that cannot be read says nothing
		return ""
	}
	o := c.CompilerOptions
	out := path.Join(path.Dir(rel), o.OutDir)
	if o.NoEmit || o.OutDir == "" || path.Dir(rel) == out || strings.HasPrefix(path.Dir(rel)+"/", out+"/") || strings.HasPrefix(out, "..") || out == "." {
		return ""
	}
	s.outputs[out] = path.Base(out)
	if o.SourceMap || o.InlineSourceMap {
		return "compiled into " + out + " with source maps"
	}
	return "compiled into " + out + " without source maps"
}
