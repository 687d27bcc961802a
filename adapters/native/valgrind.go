package native

import (
	"debug/elf"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/native/detect"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// valgrindWay is a tool of valgrind that looks for the faults of a check.
type valgrindWay struct {
	name, blind string
	args        []string
}

var valgrindWays = map[adapters.Check]valgrindWay{
	adapters.Memory: {
		"memcheck of valgrind", "what this run has not done; an overflow of one variable on the stack, or of a global, into the next; what processes do that it starts or forks",
		[]string{"--tool=memcheck", "--leak-check=full", "--show-leak-kinds=definite,indirect", "--track-origins=yes"},
	},
	adapters.Races: {
		"helgrind of valgrind", "what this run has not done, and what processes do that it starts or forks; order that atomic operations alone make it takes for none",
		[]string{"--tool=helgrind"},
	},
}

// valgrind runs a program that has no sanitizer in it.
func (j *job) valgrind(p program, s adapters.Check, way sanitizerWay, dir string) (*adapters.Detected, error) {
	name := prepare.Show(j.Request, p.path)
	tool, there := valgrindWays[s]
	if !there || s == adapters.Races && j.lang == build.Rust {
		return nil, fault.New(fault.NotSupported, "%s was built without -fsanitize=%s, and nothing else sees that", name, way.sanitizer).WithField("check").
			WithHint("%s", j.sanitizedRemedy(way))
	}
	if isStatic(p.path) {
		return nil, fault.New(fault.NotSupported, "%s is linked statically: valgrind cannot stand in for its malloc, and takes the C library's own ways for faults", name).WithField("check").
			WithHint("%s", j.sanitizedRemedy(way))
	}
	path, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, fault.New(fault.NotSupported, "%s was built without -fsanitize=%s, and valgrind is not installed", name, way.sanitizer).WithField("check").
			WithHint("install it (on Debian: apt install valgrind), or: %s", j.sanitizedRemedy(way))
	}
	args := append(append([]string{}, tool.args...), "--xml=yes", "--xml-file="+filepath.Join(dir, "log.%p"), "--child-silent-after-fork=yes", "--num-callers=25", "--vgdb=no", p.path)
	return &adapters.Detected{
		Spec: process.Spec{
			Name: "valgrind", Path: path, Args: append(args, p.args...), Dir: p.dir,
			Env: prepare.Overlay(p.env, map[string]string{"DEBUGINFOD_URLS": ""}), Log: j.adapter.Log,
		},
		By: tool.name, Blind: tool.blind,
		Read: func() (adapters.Detection, error) { return readValgrind(filepath.Join(dir, "log")) },
	}, nil
}

// isStatic says that no loader of shared libraries has to do with a program.
func isStatic(path string) bool {
	file, err := elf.Open(path)
	if err != nil {
		return false // valgrind says what it is
	}
	defer file.Close()
	return !slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
}

// sanitizedRemedy is how a program gets the sanitizer into it.
func (j *job) sanitizedRemedy(way sanitizerWay) string {
	if j.lang == build.Rust {
		return "install a nightly toolchain (rustup toolchain install nightly), with which it is built with AddressSanitizer"
	}
	return fmt.Sprintf("give a source file or a project of CMake or Meson as target, which is built with it, or a program that was built with -fsanitize=%s -g", way.sanitizer)
}

// readValgrind reads what valgrind has written of the process.
func readValgrind(prefix string) (d adapters.Detection, err error) {
	texts, more, err := prepare.Reports(prefix)
	if err != nil {
		return d, err
	}
	if len(texts) == 0 {
		return d, fault.New(fault.SessionStart, "valgrind has written nothing: it did not run the program").WithField("check").
			WithHint("try it by hand: valgrind PROGRAM")
	}
	d.Unread = more
	for _, text := range texts {
		one, err := detect.Valgrind(strings.NewReader(text))
		if err != nil {
			return d, fault.New(fault.SessionStart, "%w", err)
		}
		d.Faults, d.Notes, d.Unread = append(d.Faults, one.Faults...), append(d.Notes, one.Notes...), d.Unread+one.Unread
	}
	return d, nil
}
