package ruby

import (
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What runs in the program on our behalf. boot.rb says what the others are for.
//
//go:embed boot/*.rb
var boot embed.FS

// parts are the files of the server, in the order in which they are loaded.
var parts = []string{"values", "frames", "peeking", "patching", "points", "raising", "stepping", "server", "tests"}

// whole is all of the server as one text, for a program that runs already and is given it by
// the debugger that it has. The names of its files are none of the system's.
func whole() (string, error) {
	var b strings.Builder
	b.WriteString("unless defined?(::AIDB)\n::Object.const_set(:AIDB, ::Module.new)\n")
	b.WriteString("AIDB::OWN = '/aidb-mcp/boot'.freeze\nclass << AIDB; attr_accessor :settings, :globals; end\n")
	b.WriteString("AIDB.globals = global_variables\nAIDB.settings = {'attached' => true}\n")
	for _, part := range parts {
		text, err := boot.ReadFile("boot/" + part + ".rb")
		if err != nil {
			return "", fmt.Errorf("reading what the program loads: %w", err)
		}
		fmt.Fprintf(&b, "::TOPLEVEL_BINDING.eval([%q].pack('H*').force_encoding('UTF-8'), '/aidb-mcp/boot/%s.rb', 1)\n", hex.EncodeToString(text), part)
	}
	b.WriteString("end\n::DEBUGGER__::CONFIG.set_config(no_color: true)\nnil")
	return b.String(), nil
}

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
