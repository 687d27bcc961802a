package install

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// unpacker puts the files of a component where they belong and checks them.
type unpacker struct {
	component Component
	root      *os.Root        // of the folder that is filled; nothing is written outside it
	pins      map[string]File // nil: any file that the layout places is taken
	total     int64           // bytes to come, 0 if unknown
	progress  func(done, total int64)

	done  int64
	found map[string]File
	wrong []string // files whose contents are not the pinned ones
}

// errEnough ends the reading of an archive whose rest is of no interest.
var errEnough = errors.New("all wanted files are there")

// unpack fills dir from the archives. With pins, exactly the pinned files come
// out, or it fails. It answers with what lies in dir then.
func unpack(ctx context.Context, c Component, archives []string, dir string, pins []File, progress func(done, total int64)) ([]File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	u := &unpacker{component: c, root: root, progress: progress, found: map[string]File{}}
	if pins != nil {
		u.pins = map[string]File{}
		for _, f := range pins {
			u.pins[f.Path] = f
			u.total += f.Size
		}
	}
	for _, archive := range archives {
		if err := walk(ctx, archive, u.visit); err != nil && !errors.Is(err, errEnough) {
			return nil, err
		}
	}
	if len(u.found) == 0 {
		return nil, fmt.Errorf("it holds nothing of %s: wanted is %s", c.Name, c.Archive)
	}
	if err := u.addOwn(); err != nil {
		return nil, err
	}
	return slices.Collect(maps.Values(u.found)), u.judge()
}

func (u *unpacker) visit(e entry) error {
	to, ok := u.component.place(e.name)
	if _, ours := u.component.Own[to]; !ok || ours {
		return nil
	}
	pin, isPinned := u.pins[to]
	if u.pins != nil && !isPinned {
		return nil
	}
	if _, again := u.found[to]; again {
		return nil // two names for one file
	}
	if err := u.root.MkdirAll(filepath.FromSlash(path.Dir(to)), 0o755); err != nil {
		return err
	}
	if e.link != "" {
		if u.pins != nil {
			return fmt.Errorf("%q is a link where a file was expected", e.name)
		}
		return u.root.Symlink(e.link, filepath.FromSlash(to))
	}
	got, err := u.write(to, e.exec, e.body)
	if err != nil {
		return err
	}
	u.found[to] = got
	if isPinned && got != pin {
		u.wrong = append(u.wrong, to)
	}
	u.done += got.Size
	u.progress(u.done, u.total)
	if len(u.found)+len(u.component.Own) == len(u.pins) {
		return errEnough
	}
	return nil
}

// write makes one file and says what is in it.
func (u *unpacker) write(to string, exec bool, body io.Reader) (File, error) {
	mode := os.FileMode(0o644)
	if exec || slices.Contains(u.component.Programs, to) {
		mode = 0o755
	}
	out, err := u.root.OpenFile(filepath.FromSlash(to), os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), body)
	return File{Path: to, Size: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, errors.Join(err, out.Close())
}

// addOwn writes the files that come from us.
func (u *unpacker) addOwn() error {
	for name, text := range u.component.Own {
		if err := u.root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o755); err != nil {
			return err
		}
		file, err := u.write(name, strings.HasPrefix(text, "#!"), strings.NewReader(text))
		if err != nil {
			return err
		}
		u.found[name] = file
	}
	return nil
}

// judge compares what came out with the pins.
func (u *unpacker) judge() error {
	if len(u.wrong) > 0 {
		return fmt.Errorf("its contents are not those of %s %s that were pinned: %s", u.component.Name, u.component.Version, someOf(u.wrong))
	}
	var missing []string
	for name := range u.pins {
		if _, ok := u.found[name]; !ok {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		return fmt.Errorf("it lacks files of %s %s: %s", u.component.Name, u.component.Version, someOf(missing))
	}
	return nil
}
