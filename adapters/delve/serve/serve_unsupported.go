//go:build !(((linux || darwin) && (amd64 || arm64)) || (windows && amd64))

// Package serve says that Delve does not run on this platform.
package serve

import (
	"fmt"
	"os"
	"runtime"

	godap "github.com/google/go-dap"
)

// Streams is meaningless here.
const Streams = "--streams"

// Live is meaningless here.
const Live = "--live"

// Supported says whether Go programs can be debugged on this platform.
const Supported = false

// Version is the embedded Delve's, if there were one.
func Version() string { return "" }

// Capabilities is nothing here.
func Capabilities() (godap.Capabilities, error) { return godap.Capabilities{}, nil }

// Main refuses.
func Main([]string) int {
	fmt.Fprintf(os.Stderr, "dap-go: Delve cannot debug programs on %s/%s\n", runtime.GOOS, runtime.GOARCH)
	return 1
}
