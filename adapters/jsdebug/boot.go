package jsdebug

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"aidb-mcp/adapters/jsdebug/inspector"
	"aidb-mcp/internal/process"
)

// js-debug has each node of the program load the bootloader that lies beside it,
// and that has a second process pass on what node's inspector says. Where a
// process of ours is faster at it, js-debug is run from a directory that has our
// bootloader and, by links, everything else of js-debug's.

//go:embed hook/bootloader.cjs
var bootloader []byte

const (
	serverName     = "dapDebugServer.js"
	bootloaderName = "bootloader.js"
	adapterName    = "adapter-bootloader.js" // js-debug's own bootloader, beside ours
	bootDirectory  = "js-debug"              // below the scratch directory
)

// watchdogVariable tells the bootloader, in the program, what to start.
const watchdogVariable = "AIDB_WATCHDOG"

// ourWatchdog is what the bootloader is to start, empty where js-debug's own does
// as well.
func ourWatchdog() string {
	path, err := process.Executable()
	if !inspector.Helps || err != nil || !filepath.IsAbs(path) || filepath.Dir(path) == "/proc/self" {
		return ""
	}
	return path
}

// layOut makes a directory from which js-debug, whose files lie in another, runs
// with our bootloader.
func layOut(dir, adapter string) error {
	entries, err := os.ReadDir(adapter)
	if err != nil {
		return fmt.Errorf("reading js-debug: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("preparing js-debug: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		if name == bootloaderName {
			name = adapterName
		}
		if err := os.Symlink(filepath.Join(adapter, e.Name()), filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("preparing js-debug: %w", err)
		}
	}
	return os.WriteFile(filepath.Join(dir, bootloaderName), bootloader, 0o600)
}
