package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"aidb-mcp/internal/project/source"
)

// Sources are the files of a workspace that make its programs what they are: source and
// build files. What a build or a run makes of them does not count.
type Sources struct {
	Sum   string // of their names and contents: the same wherever they are the same
	files map[string]SourceFile
}

// SourceFile is one of them.
type SourceFile struct {
	Sum  string // of its content; of one that is too big, of its size and time
	Time time.Time
}

// Files are all of them, by their paths below the root, with slashes.
func (s Sources) Files() map[string]SourceFile { return s.files }

// How much is read of the sources; of the rest size and time count.
const (
	mostSources       = 20_000
	largestSource     = 1 << 20
	mostOfAllSources  = 64 << 20
	mostSourceEntries = 200_000
)

// ReadSources reads those of a workspace. What cannot be read does not count.
func (l Languages) ReadSources(ctx context.Context, root string) Sources {
	r := sourceReader{ctx: ctx, known: l, root: root, left: mostOfAllSources, files: map[string]SourceFile{}}
	sum := sha256.New()
	r.to = sum
	_ = filepath.WalkDir(root, r.visit) // it ends early where there is too much
	return Sources{Sum: hex.EncodeToString(sum.Sum(nil)[:8]), files: r.files}
}

// Since names the files that were written after a moment, most of them at most.
func (s Sources) Since(moment time.Time, most int) []string {
	var names []string
	for name, f := range s.files {
		if f.Time.After(moment) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names[:min(len(names), most)]
}

type sourceReader struct {
	known   Languages
	ctx     context.Context
	root    string
	to      io.Writer
	left    int64
	entries int
	files   map[string]SourceFile
}

func (r *sourceReader) visit(path string, d fs.DirEntry, err error) error {
	r.entries++
	switch {
	case r.ctx.Err() != nil || r.entries > mostSourceEntries || len(r.files) >= mostSources:
		return fs.SkipAll
	case err != nil:
		return nil
	case d.IsDir():
		if path != r.root && (source.Skipped(d.Name()) || r.known.isMadeDirectory(path)) {
			return fs.SkipDir
		}
		return nil
	case r.known.LanguageOf(d.Name()) == "" && !r.known.builds(d.Name()):
		return nil
	}
	info, err := os.Stat(path) // of what a link leads to
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	rel, err := filepath.Rel(r.root, path)
	if err != nil {
		return nil
	}
	rel = filepath.ToSlash(rel)
	fmt.Fprintf(r.to, "%q %d ", rel, info.Size())
	if r.left -= info.Size(); info.Size() > largestSource || r.left < 0 {
		r.files[rel] = SourceFile{Sum: fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano()), Time: info.ModTime()}
		fmt.Fprintln(r.to, info.ModTime().UnixNano())
		return nil
	}
	text, err := os.ReadFile(path)
	sum := hex.EncodeToString(digest(text))
	r.files[rel] = SourceFile{Sum: sum, Time: info.ModTime()}
	if err == nil {
		fmt.Fprintf(r.to, "%s\n", sum)
	}
	return nil
}

func digest(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:]
}

// isMadeDirectory says that a directory is an environment or a build's.
func (l Languages) isMadeDirectory(path string) bool {
	for _, language := range l {
		for _, name := range language.Made {
			if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
				return true
			}
		}
	}
	return false
}

func (l Languages) builds(name string) bool {
	_, _, is := l.buildOf(name)
	return is
}
