// Package left has a Go program note which goroutines and processes it leaves running at its
// end, and reads what it has noted. It knows nothing of debuggers.
//
// The program does it itself: hook is built into it by an overlay, as weave's recorder is,
// and is called by the runtime at an exit with code 0, after TestMain. Who has made a
// goroutine, up to the test, is told by the runtime's own tracebacks where tracebackancestors is
// set; the environment that the program sees is the one that it would have without us.
package left

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
)

//go:embed hook/hook.go
var hook string

// homes are folders of the standard library that hold folders only: hook becomes the package
// of one.
var homes = []string{"archive", "compress", "container", "index", "text"}

const (
	variable = "AIDB_LEFT"
	restored = "AIDB_LEFT_GODEBUG"
	// ancestors of a goroutine are told of, at most.
	ancestors = 10
)

// Program is what hook is built into.
type Program struct {
	Root    string // of the Go installation
	Dir     string // of the package
	Package string // the name of the package, as its files have it
	Tests   bool
	Main    bool // the package has a TestMain
	// Lines are those of what was built of it.
	Lines *Lines
}

// Overlay writes hook and the file that imports it into dir, and answers with the overlay
// for the go command, and the file that it adds to the package.
func Overlay(p Program, dir string) (overlay, added string, err error) {
	home := freeHome(p.Root)
	if home == "" {
		return "", "", fmt.Errorf("there is no place for it in the Go installation %s", p.Root)
	}
	added = filepath.Join(p.Dir, "aidb_left_hook.go")
	if p.Tests {
		added = filepath.Join(p.Dir, "aidb_left_hook_test.go")
	}
	files := []struct{ at, name, text string }{
		{filepath.Join(p.Root, "src", home, "aidb_left.go"), "hook.go.txt", strings.NewReplacer("//go:build ignore\n", "", "\npackage hook\n", "\npackage "+home+"\n").Replace(hook)},
		{added, "import.go.txt", fmt.Sprintf("package %s\n\nimport _ %q\n", p.Package, home)},
	}
	replace := map[string]string{}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, []byte(f.text), 0o600); err != nil {
			return "", "", err
		}
		replace[f.at] = path
	}
	list, err := json.Marshal(struct{ Replace map[string]string }{replace})
	if err != nil {
		return "", "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, added, os.WriteFile(overlay, list, 0o600)
}

func freeHome(root string) string {
	for _, home := range homes {
		at := filepath.Join(root, "src", home)
		files, _ := filepath.Glob(filepath.Join(at, "*.go"))
		if info, err := os.Stat(at); err == nil && info.IsDir() && len(files) == 0 {
			return home
		}
	}
	return ""
}

// Environment is what the program is started with beside its own: debug is GODEBUG as it
// would be, where it is set.
func Environment(dir, debug string, isSet bool) map[string]string {
	set := map[string]string{variable: dir}
	mine := fmt.Sprintf("tracebackancestors=%d", ancestors)
	if isSet {
		set[restored] = debug
	}
	if debug != "" {
		mine = debug + "," + mine
	}
	set["GODEBUG"] = mine
	return set
}

// Read reads what the program has noted in dir.
func Read(dir string, p Program) adapters.Left {
	found := adapters.Left{Unit: "goroutine"}
	if _, err := os.Stat(filepath.Join(dir, "over")); err != nil {
		return found // it has not come to its end with code 0
	}
	code := 0
	found.ExitCode = &code
	stacks, err := os.ReadFile(filepath.Join(dir, "whole"))
	if err != nil {
		stacks, err = os.ReadFile(filepath.Join(dir, "part"))
		found.Unseen = append(found.Unseen, "there are so many goroutines that not all of them were read")
	}
	if err != nil {
		found.Unseen = []string{"the program was gone before its goroutines could be read"}
		return found
	}
	found.Looked = true
	found.Things = things(string(stacks), p.Tests, p.Lines.at)
	processes, _ := os.ReadFile(filepath.Join(dir, "processes"))
	for line := range strings.Lines(string(processes)) {
		pid, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		if p.Main {
			found.Unseen = append(found.Unseen, fmt.Sprintf("process %s (%s) runs, and whether a test or TestMain has begun it is not known", pid, words))
			continue
		}
		found.Things = append(found.Things, adapters.LeftThing{Kind: "process", Name: pid + " " + words})
	}
	found.Fold()
	return found
}
