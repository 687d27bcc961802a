package java

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// The sources of what runs in JVMs: the bridge, the recorder and what both use.
//
//go:embed src/aidb
var sources embed.FS

const (
	sourceRoot = "src"
	mainClass  = "aidb.bridge.Main"
	listing    = "classes.list" // names and sizes of what was compiled; written last

	askLimit     = 10 * time.Second
	compileLimit = 2 * time.Minute
)

// Prepare compiles the bridge for the JDK of this machine.
func (a *adapter) Prepare(ctx context.Context, progress func(string)) error {
	j, err := a.javas(ctx, adapters.Request{}, os.Environ())
	if err != nil {
		return err
	}
	classes, err := a.bridge(ctx, j.tools, progress)
	if err != nil {
		return err
	}
	a.besideBridge(ctx, classes, j.tools, progress)
	return nil
}

// bridge is the directory of the compiled bridge.
func (a *adapter) bridge(ctx context.Context, k jdk, progress func(string)) (string, error) {
	files, err := packages("bridge")
	if err != nil {
		return "", err
	}
	return a.compiledOnce(ctx, helper{name: "the Java bridge", folder: "classes", files: files, major: k.major}, k, progress)
}

// besideBridge is the class path of the bridge for a program that we start: with what puts
// calls in front of lines, as Plants.java says, where that can be had.
func (a *adapter) besideBridge(ctx context.Context, classes string, k jdk, progress func(string)) string {
	planter, err := a.planter(ctx, k, progress)
	if err != nil {
		a.Log.Debug("breakpoints of a Java program have their methods interpreted", "error", err) // it runs without that
		return classes
	}
	return classes + string(filepath.ListSeparator) + planter
}

func (a *adapter) planter(ctx context.Context, k jdk, progress func(string)) (string, error) {
	files, err := packageSources("planting")
	if err != nil {
		return "", err
	}
	with, err := asmVersion(a.Store)
	if err != nil {
		return "", err
	}
	return a.compiledOnce(ctx, helper{
		name: "what keeps Java's breakpoints cheap", folder: "planter", files: files, major: k.major, with: with,
		begin: func(dir string) error { return layOutASM(a.Store, dir) },
	}, k, progress)
}

// helper is a Java program of ours that is compiled with the JDK of this machine.
type helper struct {
	name   string
	folder string                 // what its directory's name begins with
	files  map[string][]byte      // its sources, by their paths
	major  int                    // of the Java that runs it
	with   string                 // what else tells its versions apart
	begin  func(dir string) error // puts in the directory what the sources are compiled with; nil: nothing
	finish func(dir string) error // what is done with the compiled classes; nil: nothing
}

// compiledOnce is the directory of a compiled helper, which it compiles when it is
// not there, is another version's, or is damaged.
func (a *adapter) compiledOnce(ctx context.Context, h helper, k jdk, progress func(string)) (string, error) {
	if err := a.Store.Homeless(); err != nil {
		return "", err
	}
	dir := filepath.Join(a.Store.Dir(component), fmt.Sprintf("%s-%s-%d", h.folder, h.fingerprint(), h.major))
	if isComplete(dir) {
		return dir, nil
	}
	if progress != nil {
		progress("compiling " + h.name + " (once)")
	}
	if err := a.compileHelper(ctx, h, k, dir); err != nil {
		return "", err
	}
	return dir, nil
}

// fingerprint tells versions of the sources apart.
func (h helper) fingerprint() string {
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(h.files)) {
		fmt.Fprintf(hash, "%s %d\n", name, len(h.files[name]))
		hash.Write(h.files[name])
	}
	fmt.Fprint(hash, h.with)
	return hex.EncodeToString(hash.Sum(nil))[:12]
}

// packages reads the sources of the packages that one helper has to itself, and of those that it
// shares with the other: by their paths below the root.
func packages(own ...string) (map[string][]byte, error) {
	return packageSources(append(own, "expression", "text")...)
}

// packageSources reads the sources of packages: by their paths below the root.
func packageSources(names ...string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range names {
		found, err := fs.Glob(sources, path.Join(sourceRoot, "aidb", name, "*.java"))
		if err != nil {
			return nil, fmt.Errorf("looking for the sources of aidb.%s: %w", name, err)
		}
		for _, file := range found {
			text, err := sources.ReadFile(file)
			if err != nil {
				return nil, fmt.Errorf("reading the sources of aidb.%s: %w", name, err)
			}
			files[strings.TrimPrefix(file, sourceRoot+"/")] = text
		}
	}
	return files, nil
}

// isComplete says that everything that was compiled is still there.
func isComplete(dir string) bool {
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

// compileHelper compiles beside the directory and renames, so that nobody sees
// half of it; of two at once either may win.
func (a *adapter) compileHelper(ctx context.Context, h helper, k jdk, dir string) error {
	failed := func(err error) error {
		return fault.New(fault.AdapterInstall, "%s could not be compiled: %w", h.name, err).
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
	if err := os.Mkdir(out, 0o755); err != nil {
		return failed(err)
	}
	if h.begin != nil {
		if err := h.begin(out); err != nil {
			return failed(err)
		}
	}
	files, err := h.unpack(src)
	if err != nil {
		return failed(err)
	}
	// Texts put together by invokedynamic take a start a third longer.
	args := []string{"-encoding", "UTF-8", "-nowarn", "-g:source,lines", "-XDstringConcat=inline", "-cp", out, "-d", out}
	if h.major < k.major {
		args = append(args, "--release", strconv.Itoa(h.major))
	}
	ctx, cancel := context.WithTimeout(ctx, compileLimit)
	defer cancel()
	_, said, err := process.Run(ctx, process.Spec{
		Name: "javac", Path: k.tool("javac"), Log: a.Log, Env: localeEnviron(), Args: slices.Concat(quick, args, files),
	})
	if err != nil {
		return failed(fmt.Errorf("%w %s", err, strings.TrimSpace(string(said))))
	}
	if h.finish != nil {
		if err := h.finish(out); err != nil {
			return failed(err)
		}
	}
	if err := os.WriteFile(filepath.Join(out, listing), []byte(inventory(out)), 0o644); err != nil {
		return failed(err)
	}
	if err := os.Rename(out, dir); err == nil || isComplete(dir) {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil { // what is there is damaged
		return failed(err)
	}
	if err := os.Rename(out, dir); err != nil && !isComplete(dir) {
		return failed(err)
	}
	return nil
}

// unpack writes the sources below a directory.
func (h helper) unpack(dir string) (paths []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(h.files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, h.files[name], 0o644); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// open starts the bridge: its flags are for a quick start and a small footprint,
// and have the runtime's own words kept out of the protocol.
func (a *adapter) open(k jdk, classes string, scratch []string, release *process.Release) func(context.Context) (*adapters.Peer, error) {
	return func(context.Context) (*adapters.Peer, error) {
		return peer.Start(process.Spec{
			Name: "the Java bridge", Path: k.tool("java"), Log: a.Log, Remove: scratch, Env: localeEnviron(), Release: release,
			Args: []string{
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr", "-Xmx256m", "-Xss4m",
				"-XX:+IgnoreUnrecognizedVMOptions", "-XX:ErrorFile=" + os.DevNull, "-XX:-DumpReplayDataOnError", // they would lie in the user's directory
				"--add-opens=jdk.jdi/com.sun.tools.jdi=ALL-UNNAMED", // see Stale
				"-cp", classes, mainClass,
			},
		})
	}
}
