package workspace

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"
)

// Directory is one visited directory: its relative path and its entries.
type Directory struct {
	Rel     string
	Entries []fs.DirEntry
	depth   int
}

// walk lists the directories breadth first, so that limits cut what lies deepest.
func (s *Look) walk() []Directory {
	all := []Directory{{Rel: "."}}
	for i := 0; i < len(all); i++ {
		entries, err := s.readDir(all[i].Rel)
		if err != nil { // it has nothing to show
			if errors.Is(err, fs.ErrPermission) && len(s.Project.Closed) < maxLeftOut {
				s.Project.Closed = append(s.Project.Closed, all[i].Rel)
			}
			continue
		}
		if s.entries -= len(entries); i > 0 && (s.entries < 0 || s.isLate()) {
			s.leave(all[i:]...)
			return all[:i]
		}
		dir := Directory{Rel: all[i].Rel, depth: all[i].depth, Entries: entries}
		if i > 0 && s.anyDetector(func(d Detector) bool { return d.IsMade != nil && d.IsMade(dir) }) {
			continue
		}
		all[i] = dir
		all = append(all, s.addDirectory(dir)...)
	}
	return all
}

// readDir lists a directory by name. Of one with very many entries, as of data, the
// first that the system gives are taken.
func (s *Look) readDir(rel string) ([]fs.DirEntry, error) {
	dir, err := os.Open(s.Abs(rel))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(maxEntries / 2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(entries) == maxEntries/2 {
		s.leave(Directory{Rel: rel})
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// leave notes directories of which something is not looked at.
func (s *Look) leave(dirs ...Directory) {
	s.Project.Truncated = true
	for _, dir := range dirs {
		s.left[dir.Rel] = true
		if left := s.Project.LeftOut; len(left) < maxLeftOut && !slices.Contains(left, dir.Rel) {
			s.Project.LeftOut = append(left, dir.Rel)
		}
	}
	s.Project.Left = len(s.left)
}

// isLate says that the time of a large workspace is over.
func (s *Look) isLate() bool { return s.isLarge() && time.Now().After(s.until) }

// extend gives the next part of a look its time.
func (s *Look) extend() { s.until = time.Now().Add(maxTime / 2) }

func (s *Look) isLarge() bool { return maxEntries-s.entries > small }

// anyDetector says whether a condition holds for one of the detectors.
func (s *Look) anyDetector(says func(Detector) bool) bool {
	return slices.ContainsFunc(s.detectors, says)
}

// environment notes the environment that a directory is, whatever it is called.
func (s *Look) environment(rel string) bool {
	return s.anyDetector(func(d Detector) bool { return d.Environment != nil && d.Environment(rel) })
}

// skips says that a directory has no sources of the user's.
func (s *Look) skips(rel string) bool {
	return s.anyDetector(func(d Detector) bool { return d.Skips != nil && d.Skips(rel) })
}

// addDirectory takes in the files of a directory by their names and returns the
// directories to go on with.
func (s *Look) addDirectory(dir Directory) []Directory {
	for _, e := range dir.Entries {
		if !e.IsDir() {
			s.file(Join(dir.Rel, e.Name()), e.Name())
		}
	}
	var below []Directory
	for _, e := range dir.Entries {
		name := e.Name()
		rel := Join(dir.Rel, name)
		switch {
		case e.Type()&fs.ModeSymlink != 0 && s.environment(rel): // they can be large, and are shared
		case !e.IsDir():
		case isSkipped(name) || s.skips(rel):
			s.environment(rel)
		case dir.depth >= maxDepth:
			s.leave(Directory{Rel: rel})
		default:
			below = append(below, Directory{Rel: rel, depth: dir.depth + 1})
		}
	}
	return below
}

// look reads the sources of directories. Of a large workspace not all can be read:
// those come first in which somebody is at work.
func (s *Look) look(all []Directory) {
	place := map[string]int{}
	for i, dir := range all {
		place[dir.Rel] = i
	}
	looked := make([]bool, len(all))
	order := slices.Concat(s.recentDirectories(all), s.testDirectories(all), all)
	s.extend()
	for _, rel := range order {
		i := place[rel.Rel]
		if looked[i] {
			continue
		}
		if s.isLate() {
			s.leave(rel)
			continue
		}
		looked[i] = true
		for _, d := range s.detectors {
			d.Look(all[i])
		}
	}
	if !s.isLarge() {
		return
	}
	slices.SortStableFunc(s.Project.Programs, func(a, b Program) int { return cmp.Compare(place[a.Path], place[b.Path]) })
	slices.SortStableFunc(s.Project.Tests, func(a, b Suite) int { return cmp.Compare(place[a.Path], place[b.Path]) })
}

// mostAtWork is how many directories of a large workspace are looked at before all others.
const mostAtWork = 10

// recentDirectories are the directories of a large workspace whose sources were written last,
// or whose tests failed when they were last run, each after those that it lies in.
func (s *Look) recentDirectories(all []Directory) []Directory {
	if !s.isLarge() {
		return nil
	}
	newest := make([]time.Time, len(all))
	place := map[string]int{}
	var times []time.Time
	for i, dir := range all {
		place[dir.Rel] = i
		newest[i] = s.newestOf(dir)
		if times = append(times, newest[i]); s.isLate() {
			break
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	usual := times[(len(times)-1)/2].Add(freshly)
	var work []string
	for i, dir := range all {
		if newest[i].After(usual) {
			work = append(work, dir.Rel)
		}
	}
	slices.SortStableFunc(work, func(a, b string) int { return newest[place[b]].Compare(newest[place[a]]) })
	work = work[:min(len(work), mostAtWork)]
	for _, d := range s.detectors {
		if d.FailedIn != nil {
			work = append(work, d.FailedIn()...)
		}
	}
	var list []Directory
	for _, rel := range work[:min(len(work), 2*mostAtWork)] {
		for _, at := range Ancestors(rel) {
			if i, known := place[at]; known {
				list = append(list, all[i])
			}
		}
	}
	return list
}

// testDirectories are directories of a large workspace that are called as those of tests are:
// there is something to propose, however much time the others take.
func (s *Look) testDirectories(all []Directory) (list []Directory) {
	for _, dir := range all {
		if s.isLarge() && len(list) < mostAtWork && s.Project.known.testsRank(dir.Rel) > 0 && s.Project.known.offside(dir.Rel) == 0 && !s.newestOf(dir).IsZero() {
			list = append(list, dir)
		}
	}
	return list
}

// newestOf is when the newest source file of a directory was written.
func (s *Look) newestOf(dir Directory) (newest time.Time) {
	for _, e := range dir.Entries {
		if e.IsDir() || s.Project.known.LanguageOf(e.Name()) == "" {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	return newest
}

// Ancestors are the directories that one lies in, from the root on, and itself.
func Ancestors(rel string) []string {
	list := []string{rel}
	for rel != "." {
		rel = path.Dir(rel)
		list = append(list, rel)
	}
	slices.Reverse(list)
	return list
}
