package delve

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// keepsMemory makes an overlay with which a program is built that keeps a profile of its
// memory: the linker leaves that out of one that never asks for it. One file of its main
// package asks, whose lines stay where they are.
func (j job) keepsMemory(c code, dir string) (overlay string, err error) {
	path, err := j.mainFile(c)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	end := set.Position(file.Name.End()).Offset
	asking := string(text[:end]) + `; import aidbruntime "runtime"` + string(text[end:]) +
		"\nvar aidbKeepsMemory func([]aidbruntime.MemProfileRecord, bool) (int, bool)\n\nfunc init() { aidbKeepsMemory = aidbruntime.MemProfile }\n"
	replaced := filepath.Join(dir, filepath.Base(path))
	if err := os.WriteFile(replaced, []byte(asking), 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {path: replaced}})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// mainFile is a file of the package that is run, without C.
func (j job) mainFile(c code) (string, error) {
	for _, arg := range c.args {
		if strings.HasSuffix(arg, ".go") {
			if !filepath.IsAbs(arg) {
				arg = filepath.Join(c.from, arg)
			}
			return arg, nil
		}
	}
	p, err := j.files(c.dir)
	if err != nil {
		return "", fmt.Errorf("reading the package of %s: %w", c.dir, err)
	}
	if len(p.GoFiles) == 0 {
		return "", fmt.Errorf("no file of %s is plain Go", c.dir)
	}
	return filepath.Join(c.dir, p.GoFiles[0]), nil
}

// memoryRate is how many bytes of allocations lie between two samples of a run of its own.
const memoryRate = 4096

// often has the runtime collect garbage at each growth by a tenth: what its profile tells is as
// of the last collection.
const often = "GOGC=10"

// withMemoryRate says both to the runtime, unless the user has.
func withMemoryRate(env []string) []string {
	const name = "GODEBUG="
	if !slices.ContainsFunc(env, func(pair string) bool { return strings.HasPrefix(pair, "GOGC=") }) {
		env = append(slices.Clone(env), often)
	}
	at := slices.IndexFunc(env, func(pair string) bool { return strings.HasPrefix(pair, name) })
	setting := fmt.Sprintf("memprofilerate=%d", memoryRate)
	switch {
	case at < 0:
		return append(slices.Clone(env), name+setting)
	case strings.Contains(env[at], "memprofilerate="):
		return env
	}
	env = slices.Clone(env)
	env[at] = strings.TrimSuffix(env[at], ",") + "," + setting
	return env
}
