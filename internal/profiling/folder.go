package profiling

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The files by which a profiler within a program is asked, in a folder of its own.
const (
	specFile   = "wish.json"
	finishFile = "finish" // its being there asks for the end
)

// Equip lays out that folder: what is asked for, and the profiler's files, which are those of
// another folder in the binary. Where it fails nothing is left of it.
func Equip(dir string, spec any, files embed.FS, from, to string) error {
	text, err := json.Marshal(spec)
	var scripts fs.FS
	if err == nil {
		scripts, err = fs.Sub(files, from)
	}
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, to), scripts)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, specFile), text, 0o600)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("writing the profiler: %w", err), os.RemoveAll(dir))
	}
	return nil
}

// Finish asks for the end of a profile.
func Finish(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, finishFile), nil, 0o600); err != nil {
		return fmt.Errorf("ending the profile: %w", err)
	}
	return nil
}
