package dapdoor

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/system/process"
)

// note tells this user's `aidb-mcp dap` where a session can be joined. Nobody else may
// read it: it has the token.
type note struct {
	Address
	PID       int    // of the server
	Target    string // of the program
	Workspace string
}

// write writes the note into a directory that is the user's alone.
func (n note) write(dir string) (file string, err error) {
	n.PID = os.Getpid()
	if err := openDir(dir); err != nil {
		return "", err
	}
	text, err := json.Marshal(n)
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, fmt.Sprintf("%d-%s.json", n.PID, n.Session))
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	return file, errors.Join(err, f.Close())
}

// openDir makes a directory that is the user's alone.
func openDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the directory of open sessions: %w", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("close the directory of open sessions to others: %w", err)
	}
	return nil
}

func removeNotes(files []string) {
	for _, file := range files {
		_ = os.Remove(file) // one that stays is found out by its process
	}
}

// longestNote is how much of a note is read, in bytes.
const longestNote = 64 << 10

// readNotes reads the notes of servers that live, the newest first. Others are removed.
func readNotes(dir string) []note {
	files, err := filepath.Glob(filepath.Join(dir, "*-*.json"))
	if err != nil {
		return nil
	}
	type dated struct {
		note
		written int64
	}
	var list []dated
	for _, file := range files {
		text, err := boundedfile.Read(file, longestNote)
		info, gone := os.Lstat(file)
		var n note
		if err != nil || gone != nil || json.Unmarshal(text, &n) != nil || n.PID <= 0 {
			continue
		}
		if process.Gone(n.PID) {
			_ = os.Remove(file)
			continue
		}
		list = append(list, dated{n, info.ModTime().UnixNano()})
	}
	slices.SortFunc(list, func(a, b dated) int { return cmp.Compare(b.written, a.written) })
	var notes []note
	for _, d := range list {
		notes = append(notes, d.note)
	}
	return notes
}
