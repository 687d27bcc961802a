package fault

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"syscall"

	"aidb-mcp/internal/text/jsonwords"
)

// shortage is something that the machine lacks, and not the program, the
// adapter or the network: by what error numbers it shows, and with what words
// compilers, interpreters and debuggers tell of it.
type shortage struct {
	what   string // in front of the message
	do     string
	errors []error
	words  []string // in lower case
	names  []string // of errors, in lower case: not looked for in what a compiler says, for programs use them
	only   []Code   // the codes where the words mean that; nil: all of blamed
}

const (
	freeSpace  = "free space on the disk that the message names, or use another one: TMPDIR names the place of temporary files, AIDB_HOME that of adapters, GOCACHE, CARGO_TARGET_DIR and XDG_CACHE_HOME those of builds; then start again"
	freeMemory = "end other programs, or raise the limit on memory (ulimit -v, or the container's) under which the server runs; then start again"
)

var shortages = []shortage{
	{
		what: "the disk is full", do: freeSpace,
		errors: []error{syscall.ENOSPC, syscall.EDQUOT},
		words:  []string{"no space left on device", "disk quota exceeded", "not enough space on the disk"},
		names:  []string{"enospc"},
	},
	{
		what: "a file may not become larger", do: "raise the limit on the size of files (ulimit -f) under which the server runs, then start again",
		errors: []error{syscall.EFBIG},
		words:  []string{"file too large", "file size limit exceeded"},
	},
	{
		what: "too many files are open", do: "raise the limit on open files (ulimit -n) under which the server runs, to 1024 or more, or end sessions with session(stop); then start again",
		errors: []error{syscall.EMFILE, syscall.ENFILE},
		words:  []string{"too many open files", "no file descriptors available"},
		names:  []string{"emfile"},
	},
	{
		what: "there is not enough memory", do: freeMemory,
		errors: []error{syscall.ENOMEM},
		words: []string{
			"cannot allocate memory", "out of memory allocating", "fatal error: out of memory", "virtual memory exhausted", "insufficient memory", "not enough memory",
			"could not reserve", "could not allocate", "failed to reserve", "failed to map segment", "failed to allocate memory", "memory allocation of",
		},
		names: []string{"out of memory", "fatal process oom", "memoryerror", "outofmemoryerror", "bad_alloc", "enomem"},
	},
	{
		what: "a process was killed, as the system does when there is no memory left", do: freeMemory,
		words: []string{"signal: killed", "killed signal terminated program", "signal: 9, sigkill"},
		only:  []Code{BuildFailed},
	},
	{
		what: "no more processes can be started", do: "end other programs, or raise the limit on processes (ulimit -u, or the container's) under which the server runs; then start again",
		words: []string{"resource temporarily unavailable", "unable to create native thread", "failed to create new os thread"},
	},
	{
		what: "a directory can only be read", do: "make the directory that the message names writable, or use another one: TMPDIR names the place of temporary files, AIDB_HOME that of adapters, GOCACHE and XDG_CACHE_HOME those of builds; then start again",
		errors: []error{syscall.EROFS},
		words:  []string{"read-only file system"},
		names:  []string{"erofs"},
	},
	{
		what: "there is no home directory", do: "set HOME for the server to a directory that can be written (GOCACHE does for Go, XDG_CACHE_HOME for C and C++, CARGO_HOME and RUSTUP_HOME for Rust, AIDB_HOME for adapters), then start again",
		words: []string{"$home are defined", "$home is not defined", "could not find your home", "could not find cargo home", "could not create home directory", "failed to initialize build cache", "making the build cache"},
	},
	{
		what: "there is no place for temporary files", do: "set TMPDIR for the server to a directory that exists and can be written, or make the one that the message names; then start again",
		words: []string{"temporary directory cannot be used"},
	},
}

// blamed are the codes of failures that a shortage can be behind. What a running
// program says of itself is not among them.
var blamed = []Code{SessionStart, BuildFailed, AdapterNotFound, AdapterInstall, AdapterCrashed, AdapterTimeout, Internal}

// TrueCause is the error with the shortage behind it in front, and with the
// remedy for that in place of its own; the error itself if there is none.
func (e *Error) TrueCause() *Error {
	if !slices.Contains(blamed, e.Code) {
		return e
	}
	lines := append([]string{e.Message}, detailLines(e.Details)...)
	for _, s := range shortages {
		if s.only != nil && !slices.Contains(s.only, e.Code) {
			continue
		}
		line, found := s.findIn(e, lines)
		if !found || strings.HasPrefix(e.Message, s.what) {
			continue
		}
		copied := *e
		copied.Message, copied.Hint = s.what+": "+line, s.do
		if e.Code == Internal || e.Code == AdapterNotFound { // it is the machine's fault, and nothing is missing
			copied.Code = SessionStart
		}
		return &copied
	}
	return e
}

// Telling is the line of what a tool wrote that tells of a shortage, empty if
// none does.
func Telling(text string) string {
	for _, s := range shortages {
		if s.only != nil {
			continue
		}
		if line, found := s.findIn(errors.New(""), strings.Split(text, "\n")); found {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// TrueCause is (*Error).TrueCause of an error that may be one.
func TrueCause(err error) error {
	var f *Error
	if !errors.As(err, &f) {
		return err
	}
	if cause := f.TrueCause(); cause != f {
		return cause
	}
	return err
}

// findIn says whether an error tells of this shortage, and in which line.
func (s shortage) findIn(err error, lines []string) (line string, found bool) {
	words := s.words
	if !Is(err, BuildFailed) {
		words = slices.Concat(words, s.names)
	}
	for _, line := range lines {
		low := strings.ToLower(line)
		if slices.ContainsFunc(words, func(said string) bool { return strings.Contains(low, said) }) {
			return line, true
		}
	}
	return lines[0], slices.ContainsFunc(s.errors, func(number error) bool { return errors.Is(err, number) })
}

// detailLines are the lines of the texts in an error's details.
func detailLines(details any) []string {
	text, err := json.Marshal(details)
	if details == nil || err != nil {
		return nil
	}
	var lines []string
	for _, said := range jsonwords.Texts(text) {
		lines = append(lines, strings.Split(said, "\n")...)
	}
	return lines
}
