package packaging

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

var compare = strings.Compare

// sorted are the files in the order in which they are packed.
func sorted(files []file) []file {
	return slices.SortedStableFunc(slices.Values(files), func(a, b file) int { return compare(a.name, b.name) })
}

// tarball is a tar archive; everything in it belongs to root.
func tarball(r Release, files []file) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range sorted(files) {
		head := &tar.Header{
			Name: f.name, Mode: int64(f.mode), Size: int64(len(f.text)), Typeflag: tar.TypeReg,
			ModTime: r.Time, Format: tar.FormatUSTAR, Uname: "root", Gname: "root",
		}
		if strings.HasSuffix(f.name, "/") {
			head.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// tgz is a compressed tar archive.
func tgz(r Release, files []file) ([]byte, error) {
	content, err := tarball(r, files)
	if err != nil {
		return nil, err
	}
	return zipped(content)
}

func zipped(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// zipArchive is a zip archive that keeps which files can be run.
func zipArchive(r Release, files []file) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.DefaultCompression)
	})
	for _, f := range sorted(files) {
		head := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.Time}
		head.SetMode(f.mode)
		entry, err := w.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// manifest is a JSON file as people write it.
func manifest(name string, content any) file {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(content); err != nil {
		panic(err) // of the structs of this package; none can fail
	}
	return file{name, 0o644, out.Bytes()}
}
