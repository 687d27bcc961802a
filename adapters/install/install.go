// Package install keeps debug adapters that are not part of this binary: it
// fetches them when asked, checks them against the manifest, and says where
// they are.
//
// It knows what an adapter consists of and nothing of how it is spoken to,
// nothing of sessions and nothing of MCP.
package install

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
)

// Store is the directory that holds the installed adapters, one folder for each
// component below "adapters": adapters/debugpy, adapters/js-debug.
type Store struct {
	Home string // absolute; see Home
}

// Home is where the data of aidb-mcp lies: AIDB_HOME, else aidb-mcp below
// XDG_DATA_HOME (or what the platform has in its place); empty when there is no
// home directory. It is never in the temporary directory, where anybody can make
// one: what lies in it is run.
func Home() string {
	if home := os.Getenv("AIDB_HOME"); home != "" {
		return absolute(home)
	}
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "aidb-mcp")
	}
	if data := os.Getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && data != "" {
		return filepath.Join(data, "aidb-mcp")
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(user, "Library", "Application Support", "aidb-mcp")
	}
	return filepath.Join(user, ".local", "share", "aidb-mcp")
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Path is a place below the home. Without a home it is one where nothing can be.
func (s Store) Path(names ...string) string {
	return filepath.Join(cmp.Or(s.Home, os.DevNull), filepath.Join(names...))
}

// Root is the folder of all components.
func (s Store) Root() string { return s.Path("adapters") }

// Homeless is the error of a store that has no place, ADAPTER_INSTALL_FAILED.
func (s Store) Homeless() error {
	if s.Home != "" {
		return nil
	}
	return fault.New(fault.AdapterInstall, "there is no place for debug adapters: neither AIDB_HOME nor HOME is set").
		WithHint("set AIDB_HOME for the server to a directory of your own, for example with \"env\" in the client's configuration, and start it again")
}

// Dir is the folder of an installed component, whether it is there or not.
func (s Store) Dir(component string) string { return filepath.Join(s.Root(), component) }

// Installed is the version of a component. The error is an [fs.ErrNotExist] when
// it is not there; any other leaves that open.
func (s Store) Installed(component string) (version string, err error) {
	text, err := os.ReadFile(filepath.Join(s.Dir(component), versionFile))
	return string(text), err
}

// versionFile names the installed version, recordFile lists every file with its
// size and digest.
const (
	versionFile = ".version"
	recordFile  = ".files"
)

// Check looks quickly whether a component is there and whole: every file that
// matters exists and has its size. It is nil, ADAPTER_NOT_FOUND (not installed) or
// ADAPTER_INSTALL_FAILED (damaged), with the one command that mends it for the
// language; or ADAPTER_INSTALL_FAILED when it cannot be told. It takes a
// millisecond or two; Verify reads the contents too.
func (s Store) Check(language string, c Component) error {
	if err := s.Homeless(); err != nil {
		return err
	}
	_, err := s.Installed(c.Name)
	if isAbsent(err) {
		return missing(language, c)
	}
	var files []string
	if err == nil {
		files, err = s.damagedFiles(c)
	}
	switch {
	case err != nil:
		return unknownState(c.Name, err)
	case len(files) > 0:
		return damaged(language, c.Name, files)
	}
	return nil
}

// damagedFiles names the files that are missing or have another size.
func (s Store) damagedFiles(c Component) ([]string, error) {
	listed, err := s.record(c.Name)
	switch {
	case unread(err):
		return nil, err
	case err != nil:
		return []string{recordFile}, nil
	}
	var bad []string
	for _, f := range listed {
		if len(c.Key) > 0 && !slices.ContainsFunc(c.Key, func(start string) bool { return strings.HasPrefix(f.Path, start) }) {
			continue
		}
		info, err := os.Lstat(filepath.Join(s.Dir(c.Name), filepath.FromSlash(f.Path)))
		if err != nil || info.Size() != f.Size || !info.Mode().IsRegular() {
			bad = append(bad, f.Path)
		}
	}
	return bad, nil
}

// record reads which files were installed.
func (s Store) record(component string) ([]File, error) {
	text, err := os.ReadFile(filepath.Join(s.Dir(component), recordFile))
	if err != nil {
		return nil, err
	}
	return parseFiles(string(text))
}

// missing is the error for a component that is not installed.
func missing(language string, c Component) error {
	err := fault.New(fault.AdapterNotFound, "%s for %s is not installed", c.label(), language)
	if c.What != "" {
		err = fault.New(fault.AdapterNotFound, "%s is not installed", c.label())
	}
	if !c.available(platform()) {
		return err.WithHint("%s", c.elsewhere())
	}
	err.Err = &Lacking{c}
	return err.WithHint("install it with `aidb-mcp adapters install %s` or the tool adapter(action: install, language: %s)", language, language)
}

// Lacking is the cause of an error that installing a component would mend.
type Lacking struct{ Component Component }

func (l *Lacking) Error() string { return l.Component.Name + " is not installed" }

// damaged is the error for a component whose files were changed or removed.
func damaged(language, component string, files []string) error {
	return fault.New(fault.AdapterInstall, "the installed debug adapter %s is damaged: %s", component, someOf(files)).
		WithHint("install it again with `aidb-mcp adapters install --force %s` or the tool adapter(action: install, language: %s, force: true)", language, language)
}

// unknownState is the error for a component of which cannot be told how it is.
func unknownState(component string, err error) error {
	return fault.New(fault.AdapterInstall, "the installed debug adapter %s cannot be looked at: %w", component, err).
		WithHint("mend what the message names, and try again")
}

// Offer is what would be installed, for people: "debugpy 1.8.22, 5 MB, fetched
// with pip"; empty when this platform has none.
func (c Component) Offer() string {
	if !c.available(platform()) {
		return ""
	}
	return fmt.Sprintf("%s %s, %s, fetched with %s", c.Name, c.Version, c.Source.Size, c.Source.Client)
}

// isAbsent says that there is no such file or folder.
func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// unread says that something may be there, and could not be read.
func unread(err error) bool {
	var failed *fs.PathError
	return errors.As(err, &failed) && !isAbsent(err)
}

func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }
