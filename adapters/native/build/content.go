package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"time"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/project/workspace"
)

// Build tools tell by times what is to be built again. A file that was restored, copied with
// its time or unpacked can be another and older than what was built of it: then they take an
// old object for a new one. Of a tree of our own we note what it was built of and when, and
// have all of it built again where a file has changed that is no newer than that.

// contents is the note of what was built.
type contents struct {
	Files map[string]string `json:"files"` // what is in each source, by its path
	Ended int64             `json:"ended"` // when it was built; never: it was begun
}

const (
	contentsFile = "aidb-contents.json"
	never        = math.MaxInt64
)

// misleads says that by the times of the files a tool would take what is in the tree for
// newer than them, and it is not made of them.
func (c contents) misleads(now map[string]workspace.SourceFile) bool {
	for path, is := range now {
		if was, known := c.Files[path]; known && was != is.Sum && is.Time.UnixNano() <= c.Ended {
			return true
		}
	}
	return false
}

// hasChanged says that a source is another than the one that was built, of those that a
// condition holds for.
func (c contents) hasChanged(now map[string]workspace.SourceFile, which func(path string) bool) bool {
	for path, is := range now {
		if c.Files[path] != is.Sum && which(path) {
			return true
		}
	}
	return false
}

// noteBuild notes in a file that something is built of these sources; ended is called when it
// was, or was not: a build that was broken off may have left anything.
func noteBuild(file string, now map[string]workspace.SourceFile) (ended func(context.Context)) {
	c := contents{Files: map[string]string{}, Ended: never}
	for path, is := range now {
		c.Files[path] = is.Sum
	}
	c.write(file)
	return func(ctx context.Context) {
		if ctx.Err() == nil {
			c.Ended = time.Now().UnixNano()
			c.write(file)
		}
	}
}

// buildOf builds a tree of our own with what is in the sources now: do builds it, all anew
// where it is told so.
func (j *job) buildOf(ctx context.Context, t *tree, do func(anew bool) error) error {
	if !t.own {
		return do(false)
	}
	file := filepath.Join(t.dir, contentsFile)
	now := j.o.Known().ReadSources(ctx, t.source).Files()
	last, known := builtOf(file)
	ended := noteBuild(file, now)
	err := do(!known || last.misleads(now))
	ended(ctx)
	return err
}

// makeAnew says whether make would take old objects for new ones: by their times, or since
// a source has changed of which it does not know what is made of it, as of a header that no
// rule names. Of what was never built before us that is not known: in a trial all is made
// anew then, else what the user has made stands.
func (j *job) makeAnew(ctx context.Context, dir string, r *rules) (anew bool, ended func(context.Context)) {
	cache, err := j.cacheDir()
	if err != nil {
		return j.o.Within != "", func(context.Context) {}
	}
	sum := sha256.Sum256([]byte(prepare.Physical(dir)))
	file := filepath.Join(cache, ".made", hex.EncodeToString(sum[:8])+".json")
	now := j.o.Known().ReadSources(ctx, dir).Files()
	last, known := builtOf(file)
	anew = !known && j.o.Within != "" || known && (last.misleads(now) || last.hasChanged(now, func(path string) bool { return !r.names(dir, path) }))
	return anew, noteBuild(file, now)
}

// names says that a rule has a file among what it makes something of, or is the makefile.
func (r *rules) names(dir, path string) bool {
	for _, needs := range r.needs {
		for _, need := range needs {
			if prepare.Physical(prepare.Absolute(dir, need)) == prepare.Physical(filepath.Join(dir, filepath.FromSlash(path))) {
				return true
			}
		}
	}
	return false
}

// builtOf reads a note, if there is one.
func builtOf(file string) (c contents, known bool) {
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &c) != nil || c.Files == nil {
		return contents{}, false
	}
	return c, true
}

// write writes the note. One that cannot be written is none.
func (c contents) write(file string) {
	text, err := json.Marshal(c)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o755)
	}
	if err != nil || os.WriteFile(file, text, 0o644) != nil {
		_ = os.Remove(file)
	}
}
