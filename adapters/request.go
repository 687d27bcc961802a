package adapters

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
)

// Request is what the user asked to debug, and how it is started: what the arguments of
// session_start, an entry of launch.json and a remembered attempt have in common. As JSON
// it has the names of session_start's parameters. Paths are as given; Workspace is absolute.
type Request struct {
	Language     string            `json:"language,omitzero"` // empty: infer
	Target       string            `json:"target,omitzero"`
	Module       string            `json:"module,omitzero"`
	Test         string            `json:"test,omitzero"`
	Mode         Mode              `json:"mode,omitzero"` // empty: infer
	Args         []string          `json:"args,omitzero"`
	Env          map[string]string `json:"env,omitzero"`
	EnvFile      string            `json:"env_file,omitzero"`
	Cwd          string            `json:"cwd,omitzero"`
	Stdin        *string           `json:"stdin,omitzero"`      // text for the standard input, which ends after it
	StdinOpen    bool              `json:"stdin_open,omitzero"` // keep it open for more
	RuntimePath  string            `json:"runtime_path,omitzero"`
	BuildArgs    []string          `json:"build_args,omitzero"`
	PID          int               `json:"pid,omitzero"`
	Host         string            `json:"host,omitzero"`
	Port         int               `json:"port,omitzero"`
	CoreFile     string            `json:"core_file,omitzero"`
	PathMappings []PathMapping     `json:"path_mappings,omitzero"`
	SourcePaths  []string          `json:"source_paths,omitzero"`
	StopOnEntry  bool              `json:"stop_on_entry,omitzero"`
	JustMyCode   *bool             `json:"just_my_code,omitzero"`
	Options      json.RawMessage   `json:"adapter_options,omitzero"` // passed through
	Workspace    string            `json:"workspace_root,omitzero"`  // absolute

	Debuggee Debuggee `json:"-"` // of a request that Attaches, once it was looked at
	// Record is what the program notes while it runs under the debugger, until that stops
	// it first; nil: nothing. An adapter that cannot do so leaves [Plan.Records] empty.
	Record *recording.Spec `json:"-"`
	// Left is whether the program is to note what it leaves running at its end, for [End.Left].
	Left LeftScope `json:"-"`
	// Check is what the program is built with a detector for, which stops it in the debugger at
	// a report: see [Detected.Stops]. Other adapters leave it.
	Check Check `json:"-"`
	// Seed is what a framework that shuffles tests draws their order from, or a language that of
	// its sets, so that a run that is made again has the same; 0: what they like.
	Seed uint16 `json:"-"`
}

// PathMapping translates between the program's paths and ours.
type PathMapping struct {
	Local  string `json:"local"`
	Remote string `json:"remote"`
}

// Relocated is the request with its places below one of the roots moved below another
// directory, which is a copy of them.
func (r Request) Relocated(to string, roots ...string) Request {
	move := func(path string) string { return relocatePath(path, to, roots) }
	all := func(paths []string) []string {
		paths = slices.Clone(paths)
		for i := range paths {
			paths[i] = move(paths[i])
		}
		return paths
	}
	for _, path := range []*string{&r.Workspace, &r.Target, &r.Test, &r.Cwd, &r.EnvFile, &r.RuntimePath, &r.CoreFile} {
		*path = move(*path)
	}
	r.Args, r.BuildArgs, r.SourcePaths = all(r.Args), all(r.BuildArgs), all(r.SourcePaths)
	r.PathMappings = slices.Clone(r.PathMappings)
	for i := range r.PathMappings {
		r.PathMappings[i].Local = move(r.PathMappings[i].Local)
	}
	if r.Env != nil {
		env := map[string]string{}
		for name, value := range r.Env {
			env[name] = strings.Join(all(filepath.SplitList(value)), string(filepath.ListSeparator))
		}
		r.Env = env
	}
	return r
}

func relocatePath(path, to string, roots []string) string {
	for _, root := range roots {
		if rest, ok := strings.CutPrefix(path, root); ok && root != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
			return to + rest
		}
	}
	return path
}
