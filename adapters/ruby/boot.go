package ruby

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// What runs in the program on our behalf. boot.rb says what the others are for.
//
//go:embed boot/*.rb
var boot embed.FS

// settings are what boot.rb reads beside it.
type settings struct {
	Socket   string   `json:"socket"`
	Debug    string   `json:"debug"`     // the file with which rdbg is loaded
	LoadPath []string `json:"load_path"` // directories that rdbg's own parts are looked for in
	Entry    string   `json:"entry,omitempty"`
}

// bootFile is what the interpreter loads before the program.
func (j *job) bootFile() string { return filepath.Join(j.scratch, "boot", "boot.rb") }

// unpack writes what the program loads into the session's directory.
func (j *job) unpack(s settings) error {
	dir := filepath.Join(j.scratch, "boot")
	files, err := fs.Sub(boot, "boot")
	if err == nil {
		err = os.CopyFS(dir, files)
	}
	var text []byte
	if err == nil {
		text, err = json.Marshal(s)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "settings.json"), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("writing what the program loads: %w", err)
	}
	return nil
}
