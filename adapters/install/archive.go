package install

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Limits of one archive: far more than any adapter needs.
const (
	maxEntries  = 50_000
	maxUnpacked = 2 << 30
)

// entry is one regular file, or one symbolic link, of an archive.
type entry struct {
	name string // with slashes, inside the archive
	size int64
	exec bool
	link string // target of a symbolic link
	body io.Reader
}

// walk calls visit for every file of an archive (.zip, .whl, .vsix, .tar.gz,
// .tgz; a .jar is a file, not an archive). An archive that would write outside
// its folder is refused as a whole: visit is not called for what comes after.
func walk(ctx context.Context, file string, visit func(entry) error) error {
	w := walker{ctx: ctx, visit: visit}
	var err error
	switch kind := strings.ToLower(file); {
	case strings.HasSuffix(kind, ".tar.gz"), strings.HasSuffix(kind, ".tgz"):
		err = w.tarball(file)
	case strings.HasSuffix(kind, ".zip"), strings.HasSuffix(kind, ".whl"), strings.HasSuffix(kind, ".vsix"):
		err = w.zip(file)
	case strings.HasSuffix(kind, ".jar"):
		err = w.single(file)
	default:
		err = errors.New("it is no .whl, .vsix, .zip, .tgz or .tar.gz")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	return nil
}

type walker struct {
	ctx     context.Context
	visit   func(entry) error
	entries int
	bytes   int64
}

func (w *walker) tarball(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return err
	}
	archive := tar.NewReader(unzipped)
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		e := entry{name: h.Name, size: h.Size, exec: h.FileInfo().Mode()&0o111 != 0, body: archive}
		switch h.Typeflag {
		case tar.TypeReg:
		case tar.TypeSymlink:
			e.link = h.Linkname
		case tar.TypeDir, tar.TypeXGlobalHeader:
			continue
		default:
			return fmt.Errorf("%q is neither a file nor a folder", h.Name)
		}
		if err := w.take(e); err != nil {
			return err
		}
	}
}

func (w *walker) zip(file string) error {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return err
	}
	defer archive.Close()
	for _, f := range archive.File {
		if err := w.addZipped(f); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) addZipped(f *zip.File) error {
	mode := f.Mode()
	if mode.IsDir() {
		return nil
	}
	body, err := f.Open()
	if err != nil {
		return err
	}
	defer body.Close()
	e := entry{name: f.Name, size: int64(min(f.UncompressedSize64, maxUnpacked+1)), exec: mode&0o111 != 0, body: body}
	switch {
	case mode&fs.ModeSymlink != 0:
		target, err := io.ReadAll(io.LimitReader(body, 4096))
		if err != nil {
			return err
		}
		e.link = string(target)
	case !mode.IsRegular():
		return fmt.Errorf("%q is neither a file nor a folder", f.Name)
	}
	return w.take(e)
}

// single is a package that is one file.
func (w *walker) single(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return w.take(entry{name: filepath.Base(file), size: info.Size(), body: f})
}

// take checks an entry and hands it on.
func (w *walker) take(e entry) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	e.name = strings.TrimPrefix(e.name, "./")
	if !filepath.IsLocal(filepath.FromSlash(e.name)) || strings.Contains(e.name, `\`) {
		return fmt.Errorf("%q would be written outside the folder", e.name)
	}
	if e.link != "" && (path.IsAbs(e.link) || !filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(e.name), e.link)))) {
		return fmt.Errorf("the link %q leads outside the folder", e.name)
	}
	e.name = path.Clean(e.name)
	w.entries++
	w.bytes += e.size
	if w.entries > maxEntries || w.bytes > maxUnpacked {
		return fmt.Errorf("it holds more than %d files or %d MB", maxEntries, maxUnpacked>>20)
	}
	e.body = io.LimitReader(e.body, e.size)
	return w.visit(e)
}
