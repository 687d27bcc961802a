package debugpy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// injectorScript runs gdb where its output goes to nobody any more. It tells the adapter of each
// thread that begins in the program; the adapter may have ended, and the signal for that would
// end gdb in the middle of the call that it makes, which then returns to where nothing is.
const injectorScript = `#!/bin/sh
trap '' PIPE
exec "$AIDB_INJECTOR" "$@"
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
