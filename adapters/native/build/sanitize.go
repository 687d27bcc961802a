package build

import (
	"maps"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
)

// Sanitizer is what is built into a program, by the name that compilers have for it; empty:
// nothing.
type Sanitizer string

// The sanitizers.
const (
	Address   Sanitizer = "address"
	Thread    Sanitizer = "thread"
	Undefined Sanitizer = "undefined"
)

// flags are the compiler's, of C and C++. Frame pointers make the stacks of allocations whole.
func (s Sanitizer) flags() string { return "-fsanitize=" + string(s) + " -fno-omit-frame-pointer" }

// sanitize has what is built for a site be built with the sanitizer, where its build tool takes
// that from outside of the project: in the flags of the environment, or in an option. What make
// builds lies in the project's own folder, and stays as it is.
func (j *job) sanitize(s site) error {
	by := j.o.Sanitizer
	if by == "" || s.tool == nothing || s.tool == makefile {
		return nil
	}
	// What is built runs while others are built, and when it is asked for its tests.
	set := map[string]string{"ASAN_OPTIONS": strings.TrimPrefix(prepare.Lookup(j.env, "ASAN_OPTIONS")+":detect_leaks=0", ":")}
	switch {
	case j.lang == Rust:
		more, err := j.sanitizeRust(s)
		if err != nil {
			return err
		}
		maps.Copy(set, more)
	case s.tool == meson:
		j.BuildArgs = append([]string{"-Db_sanitize=" + string(by), "-Db_lundef=false"}, j.BuildArgs...)
	default:
		for _, name := range []string{"CFLAGS", "CXXFLAGS"} {
			set[name] = strings.TrimSpace(prepare.Lookup(j.env, name) + " " + by.flags())
		}
		j.BuildArgs = append([]string{}, j.BuildArgs...)
		for i, arg := range j.BuildArgs { // these would be taken in place of the environment's
			if strings.HasPrefix(arg, "-DCMAKE_C_FLAGS=") || strings.HasPrefix(arg, "-DCMAKE_CXX_FLAGS=") {
				j.BuildArgs[i] = arg + " " + by.flags()
			}
		}
	}
	j.env = prepare.Overlay(j.env, set)
	return nil
}

// sanitizedRoom tells the tree of a sanitizer from that without.
func (j *job) sanitizedRoom() []string {
	if j.o.Sanitizer == "" {
		return nil
	}
	return []string{"sanitize", string(j.o.Sanitizer)}
}

// sanitizeRust is the environment in which rustc builds a sanitizer into what is built: that of a
// nightly toolchain. Where none is installed there is no such environment.
func (j *job) sanitizeRust(s site) (map[string]string, error) {
	triple := nightlyTriple(j.env)
	if triple == "" || j.o.Sanitizer != Address || j.RuntimePath != "" {
		return nil, nil
	}
	set := map[string]string{"RUSTUP_TOOLCHAIN": "nightly"}
	flag := "-Zsanitizer=" + string(j.o.Sanitizer)
	if s.tool != cargo {
		j.BuildArgs = append([]string{flag}, j.BuildArgs...)
		return set, nil
	}
	dir, err := j.room(s.dir, "sanitize", string(j.o.Sanitizer))
	if err != nil {
		return nil, err
	}
	// With a target of its own the flags are not those of build scripts and macros.
	set["CARGO_BUILD_TARGET"], set["CARGO_TARGET_DIR"] = triple, dir
	set["RUSTFLAGS"] = strings.TrimSpace(prepare.Lookup(j.env, "RUSTFLAGS") + " " + flag)
	return set, nil
}

// nightlyTriple is the machine for which a nightly toolchain of Rust is installed; empty where
// there is none.
func nightlyTriple(env []string) string {
	home := prepare.Lookup(env, "RUSTUP_HOME")
	if home == "" {
		home = filepath.Join(prepare.Lookup(env, "HOME"), ".rustup")
	}
	entries, err := os.ReadDir(filepath.Join(home, "toolchains"))
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if triple, is := strings.CutPrefix(e.Name(), "nightly-"); is && triple != "" && (triple[0] < '0' || triple[0] > '9') {
			return triple
		}
	}
	return ""
}
