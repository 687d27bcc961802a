package debugpy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// injectorScript runs gdb so that nothing ends it in the middle of a call that it makes in the
// program: the call would return to where nothing is, and the program with it.
//
// gdb tells the adapter of each thread that begins in the program; the adapter may have ended, and
// the signal for that would end gdb. And a signal that the program gets meanwhile, a broken pipe or
// its operator's, would stop the call: all are passed on to the program, as without gdb. Not so
// SIGTRAP and SIGSEGV (SIGILL, where a processor has it so), by which gdb learns that a call has
// returned.
//
// Of a program that sees other files than we, gdb reads the libraries where the program does.
const injectorScript = `#!/bin/sh
trap '' PIPE
exec "$AIDB_INJECTOR" \
	${AIDB_PROGRAM_ROOT:+-iex "set sysroot $AIDB_PROGRAM_ROOT"} \
	-iex 'handle all nostop noprint pass' -iex 'handle SIGINT nostop noprint pass' \
	-iex 'handle SIGSEGV SIGILL stop print pass' "$@"
`

// addInjector adds the variables by which the adapter starts gdb so, which it finds by name. There
// are none where nothing is put into a program, or by something else.
func (j *job) addInjector(to map[string]string) error {
	if j.PID == 0 || runtime.GOOS != "linux" {
		return nil
	}
	gdb, err := exec.LookPath("gdb")
	if err != nil {
		return nil //nolint:nilerr // who asks for a session has been told already
	}
	dir := filepath.Join(j.scratch, "injector")
	if err = os.Mkdir(dir, 0o700); err == nil {
		err = os.WriteFile(filepath.Join(dir, "gdb"), []byte(injectorScript), 0o700)
	}
	if err != nil {
		return fmt.Errorf("writing the script that starts gdb: %w", err)
	}
	to["AIDB_INJECTOR"], to["PATH"] = gdb, dir+string(os.PathListSeparator)+os.Getenv("PATH")
	return nil
}
