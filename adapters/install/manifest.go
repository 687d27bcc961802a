package install

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
)

// Component is something that can be installed. Its files are pinned: whatever
// the source, only the listed files with the listed contents are accepted.
type Component struct {
	Name      string
	Version   string
	What      string   // for people; empty: a debug adapter
	Optional  bool     // without it the languages can be debugged too
	Languages []string // that need it
	Platforms []string // "linux/amd64"; empty: everywhere
	Source    Source
	Archive   string // what --from takes, for people
	Layout    []Move
	Own       map[string]string // files that we add: path → text
	Programs  []string          // files that are run; the rest is data
	Key       []string          // beginnings of the files that Check looks at; none: all
	Unwanted  []string          // ends of files that are for other platforms or for its developers
	Pinned    string            // list of the archive's files, as FormatFiles writes it
	System    *SystemPackages   // what does instead where it is not pinned; nil: nothing
}

// Source is where a package client finds the component.
type Source struct {
	Client   string   // key of clients
	Packages []string // as the client names them, with the version
	Size     string   // of the download, for people
}

// Move places the files of an archive: what stands below From comes below To.
// The first one that fits is taken. From may name one file.
type Move struct{ From, To string }

// Pins are the files of the component with their digests, those that we add
// included.
func (c Component) Pins() ([]File, error) {
	files, err := parseFiles(c.Pinned)
	if err != nil {
		return nil, fmt.Errorf("read the pins of %s: %w", c.Name, err)
	}
	for name, text := range c.Own {
		sum := sha256.Sum256([]byte(text))
		files = append(files, File{Path: name, Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])})
	}
	return files, nil
}

// Manifest is all that can be installed somewhere. To move a pin: change version and
// packages in the adapter's folder, and write the list of files anew with "aidb-mcp
// adapters pin COMPONENT FILE".
type Manifest []Component

// Here are those that can be installed on this platform.
func (m Manifest) Here() Manifest {
	return slices.DeleteFunc(slices.Clone(m), func(c Component) bool { return !c.available(platform()) })
}

// Find looks a component up by its name.
func (m Manifest) Find(name string) (Component, error) {
	var names []string
	for _, c := range m {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Component{}, fault.New(fault.InvalidParam, "there is no component %q", name).WithHint("there are %s", strings.Join(names, ", "))
}

// For finds the components that a language needs; a component's own name is
// understood too. None: the language needs nothing that could be installed.
func (m Manifest) For(language string) Manifest {
	var found Manifest
	for _, c := range m {
		if c.Name == language || slices.Contains(c.Languages, language) {
			found = append(found, c)
		}
	}
	return found
}

// Languages are all that need a component, for people.
func (m Manifest) Languages() []string {
	var names []string
	for _, c := range m {
		names = append(names, c.Languages...)
	}
	return names
}

// label names the component in a sentence.
func (c Component) label() string { return cmp.Or(c.What, "the debug adapter "+c.Name) }

func (c Component) available(platform string) bool {
	return len(c.Platforms) == 0 || slices.Contains(c.Platforms, platform)
}

// place says where a file of an archive belongs.
func (c Component) place(name string) (string, bool) {
	for _, m := range c.Layout {
		if name == m.From {
			return m.To, true
		}
		if strings.HasSuffix(m.From, "/") || m.From == "" {
			if rest, ok := strings.CutPrefix(name, m.From); ok {
				return m.To + rest, true
			}
		}
	}
	return "", false
}
