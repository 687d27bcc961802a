package jsdebug

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"aidb-mcp/adapters/jsdebug/inspector"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

// js-debug has each node of the program load the bootloader that lies beside it,
// and that has a second process pass on what node's inspector says. Where a
// process of ours is faster at it, js-debug is run from a directory that has our
// bootloader, what runs js-debug without compiling it anew, and, by links, everything
// else of js-debug's.

//go:embed hook/bootloader.cjs
var bootloader []byte

//go:embed hook/server.cjs
var serverStarter []byte

const (
	serverName     = "dapDebugServer.js"
	bootloaderName = "bootloader.js"
	bootDirectory  = "js-debug" // below the scratch directory
)

// besideOurs is what js-debug's own files are called beside ours of the same names.
var besideOurs = map[string]string{bootloaderName: "adapter-bootloader.js", serverName: "adapter-server.js"}

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
// with our bootloader and what runs it.
func layOut(dir, adapter string) error {
	entries, err := os.ReadDir(adapter)
	if err != nil {
		return fmt.Errorf("reading js-debug: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("preparing js-debug: %w", err)
	}
	for _, e := range entries {
		name := cmp.Or(besideOurs[e.Name()], e.Name())
		if err := os.Symlink(filepath.Join(adapter, e.Name()), filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("preparing js-debug: %w", err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, serverName), serverStarter, 0o644); err != nil {
		return fmt.Errorf("preparing js-debug: %w", err)
	}
	return os.WriteFile(filepath.Join(dir, bootloaderName), bootloader, 0o644)
}

// lastingDir is such a directory that stays, beside js-debug's files: the processes
// that a program starts load the bootloader from it long after we have let go of
// that program. Empty where there is no room for one.
func lastingDir(adapter string) string {
	sum := sha256.Sum256(slices.Concat([]byte(adapter+"\x00"), bootloader, serverStarter))
	home := filepath.Dir(adapter)
	dir := filepath.Join(home, "boot-"+hex.EncodeToString(sum[:6]))
	if text, err := os.ReadFile(filepath.Join(dir, bootloaderName)); err == nil && bytes.Equal(text, bootloader) {
		return dir
	}
	begun, err := os.MkdirTemp(home, ".boot-")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(begun)
	whole := filepath.Join(begun, "boot") // which has the usual permissions
	if layOut(whole, adapter) != nil {
		return ""
	}
	if err := os.Rename(whole, dir); err != nil && !prepare.IsDir(dir) { // another server may have been faster
		return ""
	}
	return dir
}

// bootFor has js-debug run from a directory with our bootloader, where that is of use,
// and adds to the program's environment what the bootloader is to start.
func (s *server) bootFor(l *launch) {
	watchdog := ourWatchdog()
	if watchdog == "" {
		return
	}
	adapter := filepath.Dir(s.script)
	if l.Request == "launch" {
		s.boot = filepath.Join(s.scratch, bootDirectory)
	} else if dir := lastingDir(adapter); dir != "" {
		s.boot = dir
	} else {
		return
	}
	l.Env = maps.Clone(l.Env)
	if l.Env == nil {
		l.Env = map[string]string{}
	}
	l.Env[watchdogVariable] = watchdog
}

// relaySocket is where js-debug finds the inspector of a program that is attached to.
func relaySocket(scratch string) string { return filepath.Join(scratch, "inspector.sock") }

// plainPath matches paths that mean in a URL what they mean to the system.
var plainPath = pattern.New(`^/[\w./-]+$`)

// relayAddress is the address of a relay to an inspector, which the server makes when
// js-debug starts, and which js-debug does not look up but must be told. It is empty
// where js-debug does as well, or where no inspector answers; js-debug then says why.
func (j job) relayAddress(ctx context.Context, address string) string {
	socket := relaySocket(j.scratch)
	if !inspector.Helps || !plainPath.MatchString(socket) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, inspectLimit)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for { // one that is told to open its inspector does it in its own time
		path, err := webSocketOf(ctx, address)
		if path != "" {
			return "ws+unix://" + socket + ":" + path
		}
		if dial := (*net.OpError)(nil); !errors.As(err, &dial) {
			return ""
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return ""
		}
	}
}

// webSocketOf is the path of an inspector's web socket; empty: it does not say.
func webSocketOf(ctx context.Context, address string) (string, error) {
	var targets []struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if err := lookUp(ctx, address, "/json/list", &targets); err != nil || len(targets) == 0 {
		return "", err
	}
	u, err := url.Parse(targets[0].URL)
	if err != nil || !plainPath.MatchString(u.Path) {
		return "", err
	}
	return u.Path, nil
}
