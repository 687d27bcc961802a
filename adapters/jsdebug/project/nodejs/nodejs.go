// Package nodejs knows which Node.js a project asks for, and where version
// managers keep those that they have installed. It reads files and runs nothing.
package nodejs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
)

// Pin is the version of Node.js that a project asks for.
type Pin struct {
	File    string // that says so: its name
	Version string // as it is written, without a "v": "20", "20.11.0", "lts/iron"
}

// files are those that name a version, the most particular first.
var files = []struct {
	name string
	read func(text string) string
}{
	{".nvmrc", firstWord},
	{".node-version", firstWord},
	{".tool-versions", tool},
	{"package.json", volta},
}

// Says says that files of that name may ask for a version.
func Says(name string) bool {
	for _, f := range files {
		if f.name == name {
			return true
		}
	}
	return false
}

// PinOf is what the files of a directory ask for; its version is empty where they
// ask for nothing.
func PinOf(dir string) Pin {
	for _, f := range files {
		text, err := boundedfile.ReadText(filepath.Join(dir, f.name))
		if err != nil {
			continue
		}
		if version := strings.TrimPrefix(f.read(string(text)), "v"); version != "" {
			return Pin{f.name, version}
		}
	}
	return Pin{}
}

// Nearest is what the nearest directory upwards asks for, up to root.
func Nearest(dir, root string) Pin {
	for {
		if pin := PinOf(dir); pin.Version != "" {
			return pin
		}
		above := filepath.Dir(dir)
		if dir == root || above == dir {
			return Pin{}
		}
		dir = above
	}
}

func firstWord(text string) string {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// tool reads the file of asdf and mise: "nodejs 20.11.0".
func tool(text string) string {
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 1 && (words[0] == "nodejs" || words[0] == "node") {
			return words[1]
		}
	}
	return ""
}

func volta(text string) string {
	var manifest struct{ Volta struct{ Node string } }
	_ = json.Unmarshal([]byte(text), &manifest) // one that cannot be read says nothing
	return manifest.Volta.Node
}

// managers are where version managers keep what they install: the variable that
// says where they live, the usual place below the user's home, and the pattern of
// the executables, "*" for the version.
var managers = []struct{ variable, usual, pattern string }{
	{"NVM_DIR", ".nvm", "versions/node/*/bin/node"},
	{"VOLTA_HOME", ".volta", "tools/image/node/*/bin/node"},
	{"FNM_DIR", ".local/share/fnm", "node-versions/*/installation/bin/node"},
	{"ASDF_DATA_DIR", ".asdf", "installs/nodejs/*/bin/node"},
	{"MISE_DATA_DIR", ".local/share/mise", "installs/node/*/bin/node"},
	{"NODENV_ROOT", ".nodenv", "versions/*/bin/node"},
}

// Find is the newest installed Node.js that a version names, as "20" names 20.11.0;
// an empty version names all. It is empty when there is none.
func Find(version string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	var best []int
	found := ""
	for _, m := range managers {
		root := os.Getenv(m.variable)
		if root == "" {
			root = filepath.Join(home, filepath.FromSlash(m.usual))
		}
		wanted := version
		if m.variable == "NVM_DIR" {
			wanted = alias(root, version)
		}
		paths, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(m.pattern)))
		before, _, _ := strings.Cut(m.pattern, "*")
		for _, path := range paths {
			rel, _ := filepath.Rel(filepath.Join(root, filepath.FromSlash(before)), path)
			name, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			if n := numbers(name); len(n) == 3 && Matches(wanted, name) && slices.Compare(n, best) > 0 {
				best, found = n, path
			}
		}
	}
	return found
}

// alias is what nvm has put down for a name such as "lts/iron".
func alias(root, version string) string {
	for range 3 {
		if version == "" || version[0] >= '0' && version[0] <= '9' || !filepath.IsLocal(filepath.FromSlash(version)) {
			break
		}
		text, err := boundedfile.ReadText(filepath.Join(root, "alias", filepath.FromSlash(version)))
		if err != nil {
			break
		}
		version = strings.TrimPrefix(strings.TrimSpace(string(text)), "v")
	}
	return version
}

// Matches says that a version, "v20.11.0", is one of those that are asked for.
func Matches(asked, version string) bool {
	version = strings.TrimPrefix(version, "v")
	return asked == "" || asked == version || strings.HasPrefix(version, strings.TrimSuffix(asked, ".x")+".")
}

func numbers(version string) (list []int) {
	for part := range strings.SplitSeq(strings.TrimPrefix(version, "v"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		list = append(list, n)
	}
	return list
}
