package native

import (
	"strings"

	"aidb-mcp/adapters/prepare"
)

// asanOptions is the variable by which a program with AddressSanitizer is told
// how to behave.
const asanOptions = "ASAN_OPTIONS"

// underDebugger has the sanitizers of a program behave as they must under a
// debugger. The leak check, which traces the program itself, makes every program
// fail at its end; and gdb, which knows nothing of reports, stops at the signal
// by which one then ends the program. What the user has set about either stays.
func underDebugger(env []string, kind debuggerKind) []string {
	options := prepare.Lookup(env, asanOptions)
	set := func(name, value string) {
		if !strings.Contains(options, name+"=") {
			options = strings.TrimPrefix(options+":"+name+"="+value, ":")
		}
	}
	set("detect_leaks", "0")
	if kind == gdb {
		set("abort_on_error", "1")
	}
	return prepare.Overlay(env, map[string]string{asanOptions: options})
}
