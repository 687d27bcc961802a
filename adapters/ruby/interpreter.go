package ruby

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

const (
	probeLimit = 20 * time.Second
	probeMark  = "\naidb:"
)

//go:embed boot/probe.rb
var probeScript string // looks at an interpreter before anything is started

// interpreter is what a Ruby has said of itself.
type interpreter struct {
	Path     string   `json:"-"`
	Version  string   `json:"version"`
	Engine   string   `json:"engine"`
	Debug    string   `json:"debug"` // the file with which rdbg is loaded; empty where it is not installed
	Gem      string   `json:"gem"`   // the version of rdbg
	LoadPath []string `json:"load_path"`
	Syntax   string   `json:"syntax"` // what is wrong with the program, in Ruby's words
	// Bundled: the gems are there that the project's Gemfile names; Unbundled is why they are not.
	Bundled   bool   `json:"bundled"`
	Unbundled string `json:"unbundled"`

	flags    []string // that it is to be started with
	warnings []string
}

// find is the interpreter that runs the program: what the user says, else that of PATH,
// where version managers put theirs.
func (j *job) findInterpreter() (string, error) {
	if j.RuntimePath == "" {
		if path := prepare.Command(prepare.Lookup(j.env, "PATH"), "ruby"); path != "" {
			return path, nil
		}
		return "", fault.New(fault.AdapterNotFound, "no Ruby was found: there is no ruby in PATH").WithHint("%s; or give runtime_path", installs)
	}
	path := prepare.Locate(j.Request, j.RuntimePath)
	if prepare.IsDir(path) {
		path = filepath.Join(path, "bin", "ruby")
	}
	if prepare.Exists(path) {
		return path, nil
	}
	if found, err := exec.LookPath(j.RuntimePath); err == nil {
		return filepath.Abs(found)
	}
	return "", fault.New(fault.InvalidParam, "there is no Ruby at %s", prepare.Show(j.Request, path)).WithField("runtime_path").
		WithHint("give the path of a ruby executable; without runtime_path the one in PATH is taken")
}

// askInterpreter runs the interpreter once, in the program's directory and environment, and
// refuses one that has no debugger, or a program that it cannot read.
func (j *job) askInterpreter(ctx context.Context, dir, program string) (*interpreter, error) {
	path, err := j.findInterpreter()
	if err != nil {
		return nil, err
	}
	ruby, err := j.ask(ctx, path, dir, program)
	if err != nil {
		return nil, err
	}
	switch {
	case ruby.Debug == "":
		return nil, fault.New(fault.AdapterNotFound, "%s (Ruby %s) has no debugger: the gem debug is not installed for it", prepare.Show(j.Request, path), ruby.Version).
			WithHint("install it: `gem install debug`; or choose another Ruby with runtime_path")
	case ruby.Engine != "ruby":
		return nil, fault.New(fault.NotSupported, "%s is %s, which rdbg does not debug", prepare.Show(j.Request, path), ruby.Engine).
			WithHint("choose a Ruby of ruby-lang.org (CRuby) with runtime_path")
	case ruby.Syntax != "":
		return nil, j.syntaxFault(program, ruby.Syntax)
	case ruby.Bundled:
		ruby.flags = append(ruby.flags, "-r", "bundler/setup")
	case ruby.Unbundled != "" && j.options.UseBundler != nil:
		return nil, fault.New(fault.SessionStart, "the gems of %s are not there: %s", prepare.Show(j.Request, j.gemfile(dir)), ruby.Unbundled).
			WithHint("run `bundle install` in its directory")
	case ruby.Unbundled != "":
		ruby.warnings = append(ruby.warnings, "it runs without Bundler: "+ruby.Unbundled+"; `bundle install` gets the gems of the Gemfile")
	}
	return ruby, nil
}

func (j *job) ask(ctx context.Context, path, dir, program string) (*interpreter, error) {
	limited, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	stdout, stderr, err := process.Run(limited, process.Spec{
		Name: "ruby", Path: path, Args: []string{"-e", probeScript, "--", program, j.gemfile(dir)}, Env: j.env, Dir: dir, Log: j.log,
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	ruby := &interpreter{Path: path}
	at := bytes.LastIndex(stdout, []byte(probeMark))
	if at < 0 || json.Unmarshal(bytes.TrimSpace(stdout[at+len(probeMark):]), ruby) != nil {
		return nil, j.noRuby(path, stderr, err, limited.Err() != nil)
	}
	return ruby, nil
}

// gemfile is that of the nearest project which has settled its gems, from the directory up to
// the workspace; empty where there is none, or none is to be used.
func (j *job) gemfile(dir string) string {
	if use := j.options.UseBundler; use != nil && !*use {
		return ""
	}
	if given := prepare.Lookup(j.env, "BUNDLE_GEMFILE"); given != "" {
		return given
	}
	top := prepare.Physical(j.Workspace)
	for {
		for _, names := range [][2]string{{"Gemfile", "Gemfile.lock"}, {"gems.rb", "gems.locked"}} {
			if prepare.Exists(filepath.Join(dir, names[0])) && prepare.Exists(filepath.Join(dir, names[1])) {
				return filepath.Join(dir, names[0])
			}
		}
		if up := filepath.Dir(dir); up != dir && top != "" && prepare.Inside(top, up) {
			dir = up
			continue
		}
		return ""
	}
}

// noRuby says what came in place of an answer.
func (j *job) noRuby(path string, stderr []byte, err error, late bool) error {
	why := "it did not answer like one"
	var failed *process.ExitError
	switch lines := strings.Split(strings.TrimSpace(string(stderr)), "\n"); {
	case late:
		why = "it gave no answer within " + probeLimit.String()
	case lines[0] != "":
		why = lines[0]
	case errors.As(err, &failed):
		why = failed.Status.String()
	case err != nil:
		why = err.Error()
	}
	if f := fault.New(fault.SessionStart, "%s cannot be started: %s", prepare.Show(j.Request, path), why); f.TrueCause() != f {
		return f
	}
	return fault.New(fault.SessionStart, "%s is no working Ruby: %s", prepare.Show(j.Request, path), why).WithField("runtime_path").
		WithHint("try `%s -v`; choose another interpreter with runtime_path", path)
}
