package debugpy

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// What runs in Python on our behalf. The adapter's process runs adapter.py, and
// says there what the files beside it are for.
var (
	//go:embed boot/adapter.py boot/breakpoints.py boot/compiling.py boot/listeners.py boot/inject.py boot/remote.py
	//go:embed boot/quiet.py boot/tests.py boot/values.py boot/mangling.py boot/breaking.py boot/loading.py boot/raising.py boot/returning.py boot/children.py boot/recording.py boot/resting.py boot/judging.py boot/reaching.py boot/passing.py boot/saying.py boot/sparing.py boot/starting.py boot/resuming.py boot/leaving.py
	boot embed.FS
	//go:embed boot/probe.py
	probeScript string // looks at an interpreter before anything is started
	//go:embed boot/digest.py
	digestScript string // evaluated in the program
	//go:embed boot/remote.py
	remoteScript string // has a program execute something
	//go:embed boot/patch.py
	patchScript string // evaluated in the program
)

// importsScript is a part of the recorder, which the debugger's own process executes too.
const importsScript = "imports.py"

// unpack writes the scripts of the adapter's process into the session's directory,
// which ends with that process; the path of the first. They are too long for the
// command line of some systems.
func (j *job) unpack() (string, error) {
	dir := filepath.Join(j.scratch, "boot")
	files, err := fs.Sub(boot, "boot")
	if err == nil {
		err = os.CopyFS(dir, files)
	}
	var imports []byte
	if err == nil {
		imports, err = recorder.ReadFile("recorder/" + importsScript)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, importsScript), imports, 0o644)
	}
	if err != nil {
		return "", fmt.Errorf("writing the adapter's scripts: %w", err)
	}
	return filepath.Join(dir, "adapter.py"), nil
}
