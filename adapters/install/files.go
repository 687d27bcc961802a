package install

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// File is one file of a component.
type File struct {
	Path   string // below the component's folder, with slashes
	Size   int64
	SHA256 string
}

// parseFiles reads a list of files: digest, size and path, one a line.
func parseFiles(text string) ([]File, error) {
	var files []File
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		digest, rest, _ := strings.Cut(lines.Text(), " ")
		size, path, ok := strings.Cut(rest, " ")
		n, err := strconv.ParseInt(size, 10, 64)
		if !ok || err != nil || len(digest) != sha256.Size*2 || !filepath.IsLocal(path) {
			return nil, fmt.Errorf("the line %q is no digest, size and path", lines.Text())
		}
		files = append(files, File{Path: path, Size: n, SHA256: digest})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the list of files: %w", err)
	}
	return files, nil
}

// FormatFiles writes the list that parseFiles reads, sorted by path.
func FormatFiles(files []File) string {
	sorted := slices.SortedFunc(slices.Values(files), func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	var text strings.Builder
	for _, f := range sorted {
		fmt.Fprintf(&text, "%s %d %s\n", f.SHA256, f.Size, f.Path)
	}
	return text.String()
}

// digestOf reads a whole file.
func digestOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// someOf names a few of many.
func someOf(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}
