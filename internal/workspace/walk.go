package workspace

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/pattern"
)

// directory is one visited directory: its relative path and its entries.
type directory struct {
	rel     string
	depth   int
	entries []fs.DirEntry
}

// walk lists the directories breadth first, so that limits cut what lies deepest.
func (s *scan) walk() []directory {
	all := []directory{{rel: "."}}
	for i := 0; i < len(all); i++ {
		entries, err := s.readDir(all[i].rel)
		if err != nil { // it has nothing to show
			if errors.Is(err, fs.ErrPermission) && len(s.project.Closed) < maxLeftOut {
				s.project.Closed = append(s.project.Closed, all[i].rel)
			}
			continue
		}
		if s.entries -= len(entries); i > 0 && (s.entries < 0 || s.late()) {
			s.leave(all[i:]...)
			return all[:i]
		}
		dir := directory{rel: all[i].rel, depth: all[i].depth, entries: entries}
		switch {
		case i > 0 && (dir.has("pyvenv.cfg") || dir.holds("conda-meta")) && s.environment(dir.rel):
			continue
		case i > 0 && (dir.has("CMakeCache.txt") || s.exists(dir.rel+"/meson-private/coredata.dat")): // made of sources
			continue
		}
		all[i] = dir
		all = append(all, s.below(dir)...)
	}
	return all
}

// readDir lists a directory by name. Of one with very many entries, as of data, the
// first that the system gives are taken.
func (s *scan) readDir(rel string) ([]fs.DirEntry, error) {
	dir, err := os.Open(s.abs(rel))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(maxEntries / 2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(entries) == maxEntries/2 {
		s.leave(directory{rel: rel})
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// leave notes directories of which something is not looked at.
func (s *scan) leave(dirs ...directory) {
	s.project.Truncated = true
	for _, dir := range dirs {
		s.left[dir.rel] = true
		if left := s.project.LeftOut; len(left) < maxLeftOut && !slices.Contains(left, dir.rel) {
			s.project.LeftOut = append(left, dir.rel)
		}
	}
	s.project.Left = len(s.left)
}

// late says that the time of a large workspace is over.
func (s *scan) late() bool { return s.large() && time.Now().After(s.until) }

// extend gives the next part of a look its time.
func (s *scan) extend() { s.until = time.Now().Add(maxTime / 2) }

func (s *scan) large() bool { return maxEntries-s.entries > small }

// fetched is how Go names the directories of modules that it has fetched.
var fetched = pattern.New(`@v\d[^/]*$`)

// ofCache says that a directory is where Go keeps modules that it has fetched, or one of those.
func (s *scan) ofCache(rel string) bool {
	if fetched.MatchString(rel) {
		return true
	}
	if !strings.HasSuffix("/"+rel, "/pkg/mod") {
		return false
	}
	info, err := os.Stat(s.abs(rel + "/cache/download"))
	return err == nil && info.IsDir()
}

// below takes in the files of a directory by their names and returns the
// directories to go on with.
func (s *scan) below(dir directory) []directory {
	for _, e := range dir.entries {
		if !e.IsDir() {
			s.file(join(dir.rel, e.Name()), e.Name())
		}
	}
	var below []directory
	for _, e := range dir.entries {
		name := e.Name()
		rel := join(dir.rel, name)
		switch {
		case e.Type()&fs.ModeSymlink != 0 && s.environment(rel): // they can be large, and are shared
		case !e.IsDir():
		case skipped(name) || s.ofCache(rel) || s.outputs[rel] != "": // no sources of the user's
			s.environment(rel)
		case dir.depth >= maxDepth:
			s.leave(directory{rel: rel})
		default:
			below = append(below, directory{rel: rel, depth: dir.depth + 1})
		}
	}
	return below
}

// look reads the sources of directories. Of a large workspace not all can be read:
// those come first in which somebody is at work.
func (s *scan) look(all []directory) {
	place := map[string]int{}
	for i, dir := range all {
		place[dir.rel] = i
	}
	looked := make([]bool, len(all))
	order := slices.Concat(s.atWork(all), s.someTests(all), all)
	s.extend()
	for _, rel := range order {
		i := place[rel.rel]
		if looked[i] {
			continue
		}
		if s.late() {
			s.leave(rel)
			continue
		}
		looked[i] = true
		for _, look := range []func(directory){s.golang, s.python, s.javascript, s.native, s.rust, s.java} {
			look(all[i])
		}
	}
	if !s.large() {
		return
	}
	slices.SortStableFunc(s.project.Programs, func(a, b Program) int { return cmp.Compare(place[a.Path], place[b.Path]) })
	slices.SortStableFunc(s.project.Tests, func(a, b Suite) int { return cmp.Compare(place[a.Path], place[b.Path]) })
}

// mostAtWork is how many directories of a large workspace are looked at before all others.
const mostAtWork = 10

// atWork are the directories of a large workspace whose sources were written last,
// or whose tests failed when they were last run, each after those that it lies in.
func (s *scan) atWork(all []directory) []directory {
	if !s.large() {
		return nil
	}
	newest := make([]time.Time, len(all))
	place := map[string]int{}
	var times []time.Time
	for i, dir := range all {
		place[dir.rel] = i
		newest[i] = newestOf(dir)
		if times = append(times, newest[i]); s.late() {
			break
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	usual := times[(len(times)-1)/2].Add(freshly)
	var work []string
	for i, dir := range all {
		if newest[i].After(usual) {
			work = append(work, dir.rel)
		}
	}
	slices.SortStableFunc(work, func(a, b string) int { return newest[place[b]].Compare(newest[place[a]]) })
	work = work[:min(len(work), mostAtWork)]
	for _, failed := range s.pytestCache(".").failed {
		work = append(work, path.Dir(failed.file))
	}
	var list []directory
	for _, rel := range work[:min(len(work), 2*mostAtWork)] {
		for _, at := range ancestors(rel) {
			if i, known := place[at]; known {
				list = append(list, all[i])
			}
		}
	}
	return list
}

// someTests are directories of a large workspace that are called as those of tests are:
// there is something to propose, however much time the others take.
func (s *scan) someTests(all []directory) (list []directory) {
	for _, dir := range all {
		if s.large() && len(list) < mostAtWork && ofTests(dir.rel) > 0 && offside(dir.rel) == 0 && !newestOf(dir).IsZero() {
			list = append(list, dir)
		}
	}
	return list
}

// newestOf is when the newest source file of a directory was written.
func newestOf(dir directory) (newest time.Time) {
	for _, e := range dir.entries {
		if e.IsDir() || languageOf(e.Name()) == "" {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	return newest
}

// ancestors are the directories that one lies in, from the root on, and itself.
func ancestors(rel string) []string {
	list := []string{rel}
	for rel != "." {
		rel = path.Dir(rel)
		list = append(list, rel)
	}
	slices.Reverse(list)
	return list
}
