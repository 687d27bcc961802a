package java

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/process"
)

//go:embed bridge/src/bridge/*.java
var sources embed.FS

const (
	sourceDir = "bridge/src/bridge"
	mainClass = "bridge.Main"
	listing   = "classes.list" // names and sizes of what was compiled; written last

	askLimit     = 10 * time.Second
	compileLimit = 2 * time.Minute
)

// Prepare compiles the bridge for the JDK of this machine.
func (a *adapter) Prepare(ctx context.Context, progress func(string)) error {
	j, err := a.javas(ctx, adapters.Request{}, os.Environ())
	if err != nil {
		return err
	}
	_, err = a.bridge(ctx, j.tools, progress)
	return err
}

// Prepared is the folder of the compiled bridge.
func (a *adapter) Prepared() string { return component }

// bridge is the directory of the compiled bridge, which it compiles when it is
// not there, is another version's, or is damaged.
func (a *adapter) bridge(ctx context.Context, k jdk, progress func(string)) (string, error) {
	if err := a.Store.Homeless(); err != nil {
		return "", err
	}
	sum, err := fingerprint()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(a.Store.Dir(component), fmt.Sprintf("classes-%s-%d", sum, k.major))
	if whole(dir) {
		return dir, nil
	}
	if progress != nil {
		progress("compiling the Java bridge (once)")
	}
	if err := a.compileBridge(ctx, k, dir); err != nil {
		return "", err
	}
	return dir, nil
}

// fingerprint tells versions of the bridge apart.
func fingerprint() (string, error) {
	hash := sha256.New()
	err := fs.WalkDir(sources, sourceDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := sources.ReadFile(path)
		fmt.Fprintf(hash, "%s %d\n", path, len(text))
		hash.Write(text)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("reading the bridge's sources: %w", err)
	}
	return hex.EncodeToString(hash.Sum(nil))[:12], nil
}

// whole says that everything that was compiled is still there.
func whole(dir string) bool {
	list, err := os.ReadFile(filepath.Join(dir, listing))
	if err != nil {
		return false
	}
	return len(list) > 0 && string(list) == inventory(dir)
}

// inventory lists the class files of a directory with their sizes.
func inventory(dir string) string {
	var b strings.Builder
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".class" {
			return nil // what is missing is missing from the list
		}
		if info, err := d.Info(); err == nil {
			fmt.Fprintf(&b, "%s %d\n", d.Name(), info.Size())
		}
		return nil
	})
	return b.String()
}

// compileBridge compiles beside the directory and renames, so that nobody sees
// half of it; of two at once either may win.
func (a *adapter) compileBridge(ctx context.Context, k jdk, dir string) error {
	failed := func(err error) error {
		return fault.New(fault.AdapterInstall, "the Java bridge could not be compiled: %w", err).
			WithHint("is %s writable (AIDB_HOME chooses another place), and is %s a whole JDK?", filepath.Dir(dir), k.home)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return failed(err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), ".new-")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(fresh)
	src, out := filepath.Join(fresh, "src"), filepath.Join(fresh, "out")
	files, err := unpack(src)
	if err != nil {
		return failed(err)
	}
	ctx, cancel := context.WithTimeout(ctx, compileLimit)
	defer cancel()
	_, said, err := process.Run(ctx, process.Spec{
		Name: "javac", Path: k.tool("javac"), Log: a.Log, Env: inLocale(),
		Args: slices.Concat(quick, []string{"-encoding", "UTF-8", "-nowarn", "-g:source,lines", "-d", out}, files),
	})
	if err != nil {
		return failed(fmt.Errorf("%w %s", err, strings.TrimSpace(string(said))))
	}
	if err := os.WriteFile(filepath.Join(out, listing), []byte(inventory(out)), 0o644); err != nil {
		return failed(err)
	}
	if err := os.Rename(out, dir); err == nil || whole(dir) {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil { // what is there is damaged
		return failed(err)
	}
	if err := os.Rename(out, dir); err != nil && !whole(dir) {
		return failed(err)
	}
	return nil
}

// unpack writes the sources to a directory.
func unpack(dir string) (files []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	entries, err := sources.ReadDir(sourceDir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := sources.ReadFile(sourceDir + "/" + e.Name())
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, e.Name())
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// open starts the bridge: its flags are for a quick start and a small footprint,
// and have the runtime's own words kept out of the protocol.
func (a *adapter) open(k jdk, classes string, scratch []string) func(context.Context) (*adapters.Peer, error) {
	return func(context.Context) (*adapters.Peer, error) {
		return peer.Start(process.Spec{
			Name: "the Java bridge", Path: k.tool("java"), Log: a.Log, Remove: scratch, Env: inLocale(),
			Args: []string{
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr", "-Xmx256m", "-Xss4m",
				"-cp", classes, mainClass,
			},
		})
	}
}
