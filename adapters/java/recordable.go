package java

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/recording"
)

// mostLooked is how many classes are looked at to know what a spec can name.
const mostLooked = 20_000

// fit holds a spec against the classes of the program: places must have code, or the
// next line that has is taken, and functions must exist.
func fit(w *recording.Spec, roots []string) (remarks []string, err error) {
	var words []string
	if w.First != nil {
		words = slices.DeleteFunc(variableNames(w.First.Condition), func(word string) bool { return w.First.Each != "" && word == recording.Each })
	}
	all, whole := loadable(roots, words)
	if !whole {
		return nil, nil // then what nobody comes to is told after the run
	}
	for i := range w.Values {
		v := &w.Values[i]
		line, remark, err := lineWithCode(all, v.File, v.Line, "location")
		if err != nil {
			return nil, err
		}
		v.Line, remarks = line, append(remarks, remark...)
	}
	if w.Calls != nil {
		unknown, err := checkEachCalled(all, w.Calls.Names)
		if err != nil {
			return nil, err
		}
		remarks = append(remarks, unknown...)
	}
	if w.Lines != nil {
		return remarks, checkCalled(all, w.Lines.Function, "function")
	}
	if w.First != nil {
		return fitFirst(w.First, all, words)
	}
	return remarks, nil
}

// lineWithCode is the line of a file to take for one that is named: it, or the next with code.
func lineWithCode(all []class, file string, named int, field string) (line int, remarks []string, err error) {
	line = nearestLine(all, file, named)
	switch {
	case line == 0 && hasSource(all, file):
		return 0, nil, fault.New(fault.InvalidLocation, "no line of %s from %d on has code", filepath.Base(file), named).WithField(field).
			WithHint("give the line of a statement")
	case line != 0 && line != named:
		return line, []string{fmt.Sprintf("line %d has no code: %d is the next that has", named, line)}, nil
	}
	return named, nil, nil
}

// loadable are the classes of directories and archives; whole is false where there
// are too many of them. Of some words it is known then which of them each has.
func loadable(roots, words []string) (all []class, whole bool) {
	add := func(c class, err error) {
		if c.words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !c.has(w) }); err == nil {
			c.texts = nil
			all = append(all, c)
		}
	}
	for _, root := range roots {
		if filepath.Ext(root) == ".jar" {
			inArchive(root, add)
			continue
		}
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".class" {
				add(readClass(path))
			}
			if len(all) > mostLooked {
				return fs.SkipAll
			}
			return nil
		})
	}
	return all, len(all) > 0 && len(all) <= mostLooked
}

func inArchive(path string, add func(class, error)) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return
	}
	defer z.Close()
	for _, f := range z.File {
		if filepath.Ext(f.Name) != ".class" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			continue
		}
		data, err := io.ReadAll(r)
		r.Close()
		if err == nil {
			add(parseClass(data))
		}
	}
}

// isOf says whether a class was compiled from a file.
func (c class) isOf(file string) bool {
	pkg := ""
	if i := strings.LastIndexByte(c.name, '.'); i >= 0 {
		pkg = strings.ReplaceAll(c.name[:i+1], ".", "/")
	}
	return strings.HasSuffix(filepath.ToSlash(file), "/"+pkg+c.source)
}

func hasSource(all []class, file string) bool {
	return slices.ContainsFunc(all, func(c class) bool { return c.isOf(file) })
}

// nearestLine is the first line with code from a line on, 0 when there is none.
func nearestLine(all []class, file string, from int) int {
	best := 0
	for _, c := range all {
		if !c.isOf(file) {
			continue
		}
		for _, line := range c.lines {
			if line >= from && (best == 0 || line < best) {
				best = line
			}
		}
	}
	return best
}

// checkEachCalled says which names no function has, nor a class, package or file. It is an
// error where that is so of all of them.
func checkEachCalled(all []class, names []string) (remarks []string, err error) {
	for _, name := range names {
		unknown := checkCalled(all, name, "functions")
		if unknown == nil {
			continue
		}
		text := unknown.Error()
		if f := (*fault.Error)(nil); errors.As(unknown, &f) {
			text += ": " + f.Hint
		}
		remarks, err = append(remarks, text), cmp.Or(err, unknown)
	}
	if len(remarks) < len(names) {
		return remarks, nil
	}
	return nil, err
}

// checkCalled gives the error of a name that no function has, nor a class, package or file.
func checkCalled(all []class, name, field string) error {
	var known []string
	for _, c := range all {
		if strings.HasSuffix(name, ".java") && (c.isOf(name) || c.source == filepath.Base(name)) {
			return nil
		}
		plain := strings.ReplaceAll(c.name, "$", ".")
		if strings.HasPrefix(plain+".", name+".") {
			return nil
		}
		for _, m := range c.methods {
			m, _, _ = strings.Cut(m, "(")
			full := plain + "." + m
			if matchesName(name, m, full) {
				return nil
			}
			if m[0] != '<' && !strings.Contains(m, "$") {
				known = append(known, full)
			}
		}
	}
	err := fault.New(fault.InvalidParam, "no function of the program is called %s", name).WithField(field).
		WithHint("functions are named as in stacks: Order.total; shop.* are all of a package")
	if like := closestFunctions(name, known); len(like) > 0 {
		return err.WithHint("did you mean %s?", strings.Join(like, " or "))
	}
	return err
}

func matchesName(name, method, full string) bool {
	if !strings.Contains(name, "*") {
		class, _, _ := strings.Cut("."+full, "."+method)
		return strings.HasSuffix("."+full, "."+name) || strings.HasSuffix(class, "."+name)
	}
	parts := strings.Split(name, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	pattern, err := regexp.Compile(`^` + strings.Join(parts, ".*") + `$`)
	if err != nil {
		return true
	}
	own := full
	if at := strings.LastIndexByte(strings.TrimSuffix(full, "."+method), '.'); at >= 0 {
		own = full[at+1:]
	}
	return pattern.MatchString(method) || pattern.MatchString(own) || pattern.MatchString(full)
}

// closestFunctions are functions whose own name, or whole name, is like one.
func closestFunctions(name string, known []string) []string {
	last := func(full string) string { return full[strings.LastIndexByte(full, '.')+1:] }
	var names []string
	for _, k := range known {
		names = append(names, last(k))
	}
	var like []string
	for _, n := range source.Closest(last(name), names, 3) {
		for _, k := range known {
			if last(k) == n && !slices.Contains(like, k) && len(like) < 3 {
				like = append(like, k)
			}
		}
	}
	return like
}
