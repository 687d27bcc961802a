package native

import (
	"fmt"
	"strings"

	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/prepare"
)

// passedOn are the signals that programs use for purposes of their own: the program
// gets them, and does not stop.
var passedOn = []string{"SIGUSR1", "SIGUSR2", "SIGHUP", "SIGPIPE", "SIGIO", "SIGVTALRM", "SIGPROF", "SIGWINCH"}

// lldbCommands are told to every LLDB before the program is loaded.
func lldbCommands(s *start) []string {
	list := []string{
		// Symbols are read when they are needed; nothing is fetched from elsewhere.
		"settings set target.preload-symbols false",
		"settings set symbols.enable-external-lookup false",
		"settings set target.load-script-from-symbol-file false",
		"settings set target.max-string-summary-length 2000",
		stepAvoid(s),
		"process handle --stop false --notify false --pass true " + strings.Join(passedOn, " "),
	}
	if s.io != nil {
		in, out, errs := s.io.paths()
		list = append(list,
			"settings set target.input-path "+in,
			"settings set target.output-path "+out,
			"settings set target.error-path "+errs)
	}
	for _, m := range s.mappings {
		list = append(list, fmt.Sprintf("settings append target.source-map %s %s", lldbQuote(m.remote), lldbQuote(m.local)))
	}
	list = append(list, lldbRoot(s)...)
	list = append(append(list, s.lldbImports()...), s.lldbSession())
	if s.lang == build.Rust {
		list = append(list, rustCommands(s)...)
	}
	if prepare.Lookup(s.env, "TMPDIR") == "" {
		list = append(list, "settings set target.unset-env-vars TMPDIR") // it is the debugger's
	}
	return append(list, s.options.InitCommands...)
}

// stepAvoid is the command that says which functions a step into does not stop in.
func stepAvoid(s *start) string {
	const set = "settings set target.process.thread.step-avoid-regexp "
	switch {
	case s.JustMyCode != nil && !*s.JustMyCode:
		return set + `""`
	case s.lang == build.Rust:
		// Not an impl of the library's trait for a type of the user's, which has his crate's name.
		return set + `^<?(std|core|alloc)::|^<[^:>]* as (std|core|alloc)::|^_\$LT\$([^.]*\$u20\$as\$u20\$)?(std|core|alloc)\.\.`
	}
	return set + `^(std|__gnu_cxx|__cxxabiv1)::`
}

// lldbQuote makes one word of a text in a command of LLDB.
func lldbQuote(text string) string {
	if !strings.ContainsAny(text, " \t\"'\\`") {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`").Replace(text) + `"`
}
