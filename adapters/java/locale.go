package java

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"aidb-mcp/adapters/prepare"
)

// A JVM reads its command line, and the names of files, by the locale. Where
// that is not one of UTF-8 (a client that the system starts has none) it finds
// no file with a letter that English lacks. What we run ourselves therefore runs
// in this locale, and what it says is in English, as we read it.
const (
	localeVariable = "LC_ALL"
	locale         = "C.UTF-8"
)

// localeEnviron is our own environment with that locale.
func localeEnviron() []string {
	return prepare.Overlay(os.Environ(), map[string]string{localeVariable: locale})
}

// readable gives a program the locale without which it could not be started: its
// command line has letters that its own locale lacks. The warning says so.
func (j job) readable(l *launch) (warning string) {
	plain := !strings.ContainsFunc(strings.Join(l.Command, ""), func(r rune) bool { return r > 127 })
	if plain || readsUTF8(j.env) {
		return ""
	}
	l.Env[localeVariable] = locale
	return fmt.Sprintf("the program runs with %s=%s, since its own locale has not the letters of its command line", localeVariable, locale)
}

// readsUTF8 says that of an environment, as a C library finds its locale.
func readsUTF8(env []string) bool {
	name := strings.ToUpper(cmp.Or(
		prepare.Lookup(env, localeVariable), prepare.Lookup(env, "LC_CTYPE"), prepare.Lookup(env, "LANG")))
	return strings.Contains(name, "UTF-8") || strings.Contains(name, "UTF8")
}
