package handlers

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/process"
)

// candidate is a process that a start may mean.
type candidate struct {
	process.Other
	shown    string // its command line, short and without secrets
	program  string // its executable
	dir      string // it works in
	args     []string
	language string
	sure     bool // of that language, and no program of which that is not known
	began    time.Time
}

// choice is how it is offered to a person.
func (c candidate) choice() string { return fmt.Sprintf("%d %s", c.PID, c.shown) }

// names are what a candidate may be called: its program, its script or main class,
// its module.
func (c candidate) names() []string {
	names := []string{filepath.Base(c.program)}
	if first, _, _ := strings.Cut(c.Command, " "); first != "" {
		names = append(names, filepath.Base(first))
	}
	if c.isSystemProgram() {
		return names
	}
	for _, arg := range c.args {
		if strings.HasPrefix(arg, "-") || strings.ContainsAny(arg, " =:\n") {
			continue
		}
		base := filepath.Base(arg)
		names = append(names, arg, base, strings.TrimSuffix(base, filepath.Ext(base)))
		if last := strings.LastIndexByte(base, '.'); last >= 0 { // of a package
			names = append(names, base[last+1:])
		}
	}
	return names
}

// distance is 0 for what runs code of a workspace or works in it, else 1.
func (c candidate) distance(root string) int {
	for _, path := range append([]string{c.program, c.dir}, c.args...) {
		if _, inside := source.Below(path, root); inside {
			return 0
		}
	}
	return 1
}

// isSystemProgram says that a candidate is a program of the system, such as an editor
// or a shell: what its arguments name is not it.
func (c candidate) isSystemProgram() bool {
	if c.sure || strings.HasPrefix(c.program, "/usr/local/") {
		return false
	}
	return slices.ContainsFunc([]string{"/usr/", "/bin/", "/sbin/", "/lib"}, func(dir string) bool { return strings.HasPrefix(c.program, dir) })
}

// runs says that a candidate is the file at a path, or was given it to run.
func (c candidate) runs(file os.FileInfo) bool {
	if info, err := os.Stat(c.program); err == nil && os.SameFile(info, file) {
		return true
	}
	return !c.isSystemProgram() && slices.ContainsFunc(c.args, func(arg string) bool {
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(c.dir, arg)
		}
		info, err := os.Stat(arg)
		return err == nil && os.SameFile(info, file)
	})
}

// matchTarget picks the candidates that a target means: those that run the file of that
// path, else those of that name, else those that have it in their command lines
// as it stands or as a regular expression.
func matchTarget(list []candidate, target, root string) []candidate {
	if target == "" {
		return slices.DeleteFunc(slices.Clone(list), func(c candidate) bool { return !c.sure })
	}
	path := target
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	file, err := os.Stat(path)
	isFile := err == nil && file.Mode().IsRegular()
	expression, err := regexp.Compile("(?i)" + target)
	if err != nil {
		expression = regexp.MustCompile(regexp.QuoteMeta(target))
	}
	lower := strings.ToLower(target)
	for _, means := range []func(candidate) bool{
		func(c candidate) bool { return isFile && c.runs(file) },
		func(c candidate) bool {
			return slices.ContainsFunc(c.names(), func(name string) bool { return strings.EqualFold(name, target) })
		},
		func(c candidate) bool {
			return !c.isSystemProgram() && strings.Contains(strings.ToLower(c.Command), lower)
		},
		func(c candidate) bool { return !c.isSystemProgram() && expression.MatchString(c.Command) },
	} {
		var found []candidate
		for _, c := range list {
			if means(c) {
				found = append(found, c)
			}
		}
		if len(found) > 0 {
			return withoutStarters(found)
		}
	}
	return nil
}

// withoutStarters leaves out those that only start another of them: go run, npx,
// a shell. A program that has forked is not one of those.
func withoutStarters(found []candidate) []candidate {
	starters := map[int]bool{}
	for _, c := range found {
		for _, pid := range process.Lineage(c.PID)[1:] {
			i := slices.IndexFunc(found, func(other candidate) bool { return other.PID == pid })
			if i >= 0 && found[i].program != c.program {
				starters[pid] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(c candidate) bool { return starters[c.PID] })
}
