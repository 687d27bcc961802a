package jsdebug

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/jsdebug/project/nodejs"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// oldest is the first Node.js that js-debug and what we rely on work with.
var oldest = version{18, 0, 0}

// node is a Node.js on this machine.
type node struct {
	path    string // absolute
	version version
}

// version is that of a Node.js.
type version struct{ major, minor, patch int }

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v.major, v.minor, v.patch) }

func (v version) isBefore(o version) bool {
	if v.major != o.major {
		return v.major < o.major
	}
	if v.minor != o.minor {
		return v.minor < o.minor
	}
	return v.patch < o.patch
}

// parseVersion reads "v22.6.0".
func parseVersion(text string) (v version, err error) {
	text, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "v"), "-")
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return v, fmt.Errorf("%q is no version", text)
	}
	for i, into := range []*int{&v.major, &v.minor, &v.patch} {
		if *into, err = strconv.Atoi(parts[i]); err != nil {
			return v, fmt.Errorf("%q is no version", text)
		}
	}
	return v, nil
}

const installNode = "install Node.js 18 or newer (https://nodejs.org) and put it in PATH, or give runtime_path"

// runtime finds the Node.js that runs the program: the one asked for, else the usual one.
func (a *adapter) runtime(ctx context.Context, r adapters.Request, env []string) (node, error) {
	if r.RuntimePath == "" {
		return a.usualNode(ctx, r, env)
	}
	path := r.RuntimePath
	if filepath.Base(path) == path {
		if found, err := exec.LookPath(path); err == nil {
			return a.ask(ctx, found, env)
		}
	}
	path = prepare.Locate(r, path)
	if prepare.IsDir(path) { // of an installation
		path = filepath.Join(path, "bin", "node")
	}
	if !prepare.Exists(path) {
		return node{}, fault.New(fault.InvalidParam, "runtime_path %s does not exist", prepare.Show(r, path)).
			WithField("runtime_path").WithHint("give the path of a node executable, or leave it out to use that of PATH")
	}
	n, err := a.ask(ctx, path, env)
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return n, f.WithField("runtime_path")
	}
	return n, err
}

// usualNode is the Node.js of PATH; where the project asks for another version and a
// version manager has it, or where PATH has none, that of the version manager.
func (a *adapter) usualNode(ctx context.Context, r adapters.Request, env []string) (node, error) {
	root := prepare.Physical(r.Workspace)
	dir := root
	if r.Target != "" {
		if at := filepath.Dir(prepare.Physical(prepare.Locate(r, r.Target))); prepare.Inside(root, at) {
			dir = at
		}
	}
	pin := nodejs.Nearest(dir, root)
	path, err := exec.LookPath("node")
	if err != nil {
		for _, version := range []string{pin.Version, ""} {
			if found := nodejs.Find(version); found != "" {
				return a.ask(ctx, found, env)
			}
		}
		return node{}, fault.New(fault.AdapterNotFound, "there is no node in PATH").WithHint("%s", installNode)
	}
	n, err := a.ask(ctx, path, env)
	if pin.Version == "" || err == nil && nodejs.Matches(pin.Version, n.version.String()) {
		return n, err
	}
	if found := nodejs.Find(pin.Version); found != "" {
		return a.ask(ctx, found, env)
	}
	return n, err
}

// ask asks a Node.js for its version and refuses those that are too old.
func (a *adapter) ask(ctx context.Context, path string, env []string) (node, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return node{}, err
	}
	v, err := a.version(ctx, path, env)
	switch {
	case ctx.Err() != nil:
		return node{}, context.Cause(ctx)
	case err != nil:
		if f := fault.New(fault.SessionStart, "%s cannot be started: %w", path, err); f.TrueCause() != f {
			return node{}, f
		}
		return node{}, fault.New(fault.InvalidParam, "%s is no Node.js: %w", path, err).
			WithHint("give the path of a node executable as runtime_path; a wrapper must answer --version as node does")
	case v.isBefore(oldest):
		return node{}, fault.New(fault.InvalidParam, "%s is Node.js %s: too old to be debugged, %d is needed", path, v, oldest.major).
			WithHint("%s", installNode)
	}
	return node{path, v}, nil
}

// askLimit is how long a node may take to say its version.
const askLimit = 10 * time.Second

// version is that of a node.
func (a *adapter) version(ctx context.Context, path string, env []string) (version, error) {
	text, err := a.versions.Of(path, func() (string, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, askLimit, fmt.Errorf("it did not answer --version within %s", askLimit))
		defer cancel()
		// NODE_OPTIONS of the program must not break the question.
		env := prepare.Overlay(env, map[string]string{"NODE_OPTIONS": ""})
		out, _, err := process.Run(ctx, process.Spec{Name: "node --version", Path: path, Args: []string{"--version"}, Env: env})
		if err != nil {
			return "", err
		}
		if _, err := parseVersion(string(out)); err != nil {
			return "", fmt.Errorf("it answers --version with %w", err)
		}
		return string(out), nil
	})
	if err != nil {
		return version{}, err
	}
	return parseVersion(text)
}
