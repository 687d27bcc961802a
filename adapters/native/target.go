package native

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters/native/binary"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/sockets"
)

// binary is the target, which must be one that can be debugged here.
func (j *job) binary() (binary.Binary, error) {
	if j.Target == "" {
		return binary.Binary{}, fault.New(fault.MissingParam, "target is missing: which binary is it?").WithField("target").
			WithHint(`for example {"mode":%q,"target":"./app"}`, j.Mode)
	}
	path := prepare.Locate(j.Request, j.Target)
	if !prepare.Exists(path) {
		return binary.Binary{}, prepare.Missing(j.Request, path)
	}
	if prepare.IsDir(path) {
		return binary.Binary{}, fault.New(fault.InvalidTarget, "%s is a directory, not a binary", prepare.Show(j.Request, path)).
			WithField("target").WithHint("give the binary's path, or mode launch to build what is in the directory")
	}
	b, err := binary.Inspect(path)
	if err != nil {
		return b, fault.New(fault.InvalidTarget, "%s cannot be read: %w", prepare.Show(j.Request, path), err).WithField("target").
			WithHint("mind the file's permissions")
	}
	return b, j.usable(b)
}

// usable says why a binary cannot be debugged, if it cannot.
func (j *job) usable(b binary.Binary) error {
	name := prepare.Show(j.Request, b.Path)
	if j.PID != 0 {
		name = fmt.Sprintf("process %d", j.PID)
	}
	wrong := func(format string, args ...any) *fault.Error {
		return fault.New(fault.InvalidTarget, name+" "+format, args...).WithField("target")
	}
	switch b.Form {
	case binary.Program, binary.Unknown:
	case binary.Library:
		return wrong("is a shared library, which does not run by itself").
			WithHint("debug the program that loads it; breakpoints in the library bind when it is loaded")
	case binary.Object:
		return wrong("is an object file, not linked yet").WithHint("link it, or give its source file with mode launch")
	case binary.CoreDump:
		return wrong("is a core file, not a program").WithHint("give it as core_file, with the program that wrote it as target")
	case binary.Script:
		return wrong("is text, not a binary").
			WithHint("give the compiled program, or mode launch for a source file; name the language of a script with language")
	default:
		return wrong("is no program for any machine").WithHint("give the compiled program")
	}
	if b.Foreign {
		return wrong("was built for %s, and this machine is %s", b.Machine, binary.Here()).
			WithHint("build it for this machine, or run it under a gdbserver there and use mode remote_attach")
	}
	if !b.Debug && !j.options.NoDebugInfo {
		return wrong("has no debug information: neither lines nor variables could be seen").
			WithHint("%s; or debug functions, memory and registers as they are with adapter_options {\"no_debug_info\":true}", j.howToBuild())
	}
	return nil
}

func (j *job) howToBuild() string {
	if j.lang == build.Rust {
		return "build it without --release, or set debug = true in the profile, and do not strip it"
	}
	return "build it with -g -O0 (CMake: -DCMAKE_BUILD_TYPE=Debug) and do not strip it"
}

// warnings say what of the program may not be seen as it is.
func (j *job) warnings(b binary.Binary) []string {
	var list []string
	if b.Optimised && !j.measured {
		list = append(list, "the program was built with optimization: variables may be missing and lines may jump; "+j.howToBuild())
	}
	if len(j.PathMappings) == 0 && len(j.SourcePaths) == 0 {
		if gone := missingSources(b); gone != "" {
			list = append(list, fmt.Sprintf("the source is not where the program was built (%s): say where it is with path_mappings [{local, remote}]", gone))
		}
	}
	return list
}

// missingSources is the user's source directory as the compiler knew it, when nothing is there.
func missingSources(b binary.Binary) string {
	roots := b.Roots()
	if len(roots) == 0 || slices.ContainsFunc(roots, prepare.Exists) {
		return ""
	}
	return roots[0]
}

// mappings translate the compiler's paths to ours, those that the user gave
// and those found by looking for the sources below source_paths.
func (j *job) mappings(p program) ([]mapping, error) {
	var list []mapping
	var sources []string
	if b, err := binary.Inspect(p.path); err == nil && p.path != "" {
		sources = b.Sources
	}
	for _, m := range j.PathMappings {
		local := prepare.Locate(j.Request, m.Local)
		if !prepare.IsDir(local) {
			return nil, fault.New(fault.InvalidParam, "path_mappings: %s is not a directory here", m.Local).WithField("path_mappings").
				WithHint("local is where the source lies on this machine, remote the path that the program was built with")
		}
		if from := firstUser(sources); from != "" && !anyBelow(sources, m.Remote) {
			return nil, fault.New(fault.InvalidParam, "path_mappings: nothing in the program was built below %s", m.Remote).WithField("path_mappings").
				WithHint("its source was %s, for example", from)
		}
		list = append(list, mapping{filepath.Clean(m.Remote), local})
	}
	for _, dir := range j.SourcePaths {
		local := prepare.Locate(j.Request, dir)
		if !prepare.IsDir(local) {
			return nil, fault.New(fault.InvalidParam, "source_paths: %s is not a directory", dir).WithField("source_paths").
				WithHint("give directories that hold the program's source")
		}
		if m, found := discover(sources, local); found {
			list = append(list, m)
		}
	}
	return list, nil
}

// mapping is a prefix of the compiler's and what to put in its place.
type mapping struct{ remote, local string }

func firstUser(sources []string) string {
	for _, s := range sources {
		if !binary.System(s) {
			return s
		}
	}
	return ""
}

func anyBelow(sources []string, dir string) bool {
	for _, s := range sources {
		if prepare.Inside(filepath.Clean(dir), s) {
			return true
		}
	}
	return false
}

// discover finds one of the program's sources below a directory by the end of
// its path, the longer the better, and what its beginning must become.
func discover(sources []string, local string) (mapping, bool) {
	for _, s := range sources {
		if binary.System(s) || prepare.Exists(s) {
			continue
		}
		parts := strings.Split(strings.Trim(s, "/"), "/")
		for i := range parts {
			if prepare.Exists(filepath.Join(local, filepath.Join(parts[i:]...))) {
				return mapping{"/" + strings.Join(parts[:i], "/"), local}, true
			}
		}
	}
	return mapping{}, false
}

// elsewhere is for a gdbserver (or lldb-server) that somebody has started.
func (j *job) elsewhere() (program, error) {
	if j.Port <= 0 || j.Port > 65535 {
		return program{}, fault.New(fault.MissingParam, "port is missing: where does the gdbserver or lldb-server listen?").WithField("port").
			WithHint(`for example {"mode":"remote_attach","target":"./app","host":"127.0.0.1","port":2345} for gdbserver :2345 ./app`)
	}
	address := net.JoinHostPort(cmp.Or(j.Host, "127.0.0.1"), strconv.Itoa(j.Port))
	// A server that takes one client only must not be tried out: only names and
	// closed ports of this machine are looked at.
	if err := nobodyListens(j.Host, j.Port); err != nil {
		return program{}, fault.New(fault.SessionStart, "no debug server answers at %s: %w", address, err).WithField("port").
			WithHint("start one there: gdbserver :%d ./app", j.Port)
	}
	p := program{remote: address, target: address}
	if j.debugger.kind == lldbDAP {
		p.warnings = []string{`lldb-dap understands an lldb-server; for a gdbserver use adapter_options {"debugger":"gdb"} or {"debugger":"codelldb"}`}
	}
	if j.Target != "" {
		b, err := j.binary()
		if err != nil {
			return p, err
		}
		p.path, p.modules, p.warnings = b.Path, b.Roots(), append(p.warnings, j.warnings(b)...)
		p.target = fmt.Sprintf("%s at %s", prepare.Show(j.Request, b.Path), address)
	}
	return p, nil
}

// nobodyListens looks into the system's table of listening ports, where the
// host is this machine; for others it only looks the name up.
func nobodyListens(host string, port int) error {
	if host != "" && host != "localhost" && !strings.HasPrefix(host, "127.") && host != "::1" {
		_, err := net.LookupHost(host)
		return err
	}
	listening, err := sockets.Of(os.Getpid(), sockets.Listening)
	if err != nil || slices.ContainsFunc(listening, func(s sockets.Socket) bool { return int(s.Local.Port()) == port }) {
		return nil // it is so, or is not known
	}
	return fmt.Errorf("nothing listens on port %d", port)
}
