package project

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/system/boundedfile"
)

// mostResults is how many files of results a runner may keep that are read.
const mostResults = 20

// vitestResults reads which files failed, by project and path:
// {"results": [["web:test/a.test.ts", {"failed": true}]]}.
func (s *scan) vitestResults(dir string) (r workspace.Results) {
	cache := s.Abs(workspace.Join(dir, "node_modules/.vite/vitest"))
	found, _ := filepath.Glob(filepath.Join(cache, "*", "results.json"))
	for _, file := range append(found[:min(len(found), mostResults)], filepath.Join(cache, "results.json")) {
		text, info, err := boundedfile.ReadInfo(file, workspace.MaxSource)
		if err != nil {
			continue
		}
		var content struct{ Results [][2]json.RawMessage }
		_ = json.Unmarshal(text, &content) // one that cannot be read says nothing
		for _, row := range content.Results {
			var name string
			var result struct{ Failed bool }
			if json.Unmarshal(row[0], &name) != nil || json.Unmarshal(row[1], &result) != nil || !result.Failed {
				continue
			}
			_, name, _ = strings.Cut(name, ":")
			r.Failed = append(r.Failed, workspace.TestName{File: workspace.Join(dir, name)})
			if info.ModTime().After(r.Ran) {
				r.Ran = info.ModTime()
			}
		}
	}
	return r
}

// jestFailed is how jest notes that a file has failed.
const jestFailed = 0

// jestCache reads which files failed from what jest keeps among the temporary files,
// by their paths: {"/home/me/shop/a.test.js": [0, 1624]}.
func (s *scan) jestCache() (r workspace.Results) {
	dir := filepath.Join(os.TempDir(), "jest_"+strconv.FormatInt(int64(os.Getuid()), 36))
	found, _ := filepath.Glob(filepath.Join(dir, "perf-cache-*"))
	for _, file := range found[:min(len(found), mostResults)] {
		text, info, err := boundedfile.ReadInfo(file, workspace.MaxSource)
		if err != nil {
			continue
		}
		var files map[string][]float64
		_ = json.Unmarshal(text, &files) // one that cannot be read says nothing
		for name, result := range files {
			rel, err := filepath.Rel(s.Project.Root, name)
			if err != nil || !filepath.IsLocal(rel) || len(result) == 0 || result[0] != jestFailed {
				continue
			}
			r.Failed = append(r.Failed, workspace.TestName{File: filepath.ToSlash(rel)})
			if info.ModTime().After(r.Ran) {
				r.Ran = info.ModTime()
			}
		}
	}
	return r
}
