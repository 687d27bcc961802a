//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

// Package serve is the dap-go process: it serves one debugging session over
// its standard streams with the embedded Delve.
//
// Delve's own DAP server does not start the program here. The front in this
// package does, so that it holds the debugger and can answer what DAP has no
// request for; everything else it passes to Delve's DAP session.
//
// One process serves one session and then exits: Delve waits for any child of
// its process, so two sessions in one process would take each other's.
package serve

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// Streams is the argument that says that descriptors 3, 4 and 5 are the
// program's standard streams.
const Streams = "--streams"

// Main serves the session and returns the exit code. It must be called before
// anything else has opened a file.
func Main(args []string) int {
	std, err := takeStandard(slices.Contains(args, Streams))
	if err != nil {
		fmt.Fprintln(os.Stderr, "dap-go:", err)
		return 1
	}
	if slices.Contains(args, Live) {
		return recordLive(std)
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	newFront(std).serve(ended)
	return 0
}

// standard is what the process was given at its start, out of reach of the program.
type standard struct {
	client  stream   // DAP
	program *streams // nil when the output goes to the client as events
}

// streams are the descriptors meant for the program.
type streams struct{ stdin, stdout, stderr *os.File }

func (s *streams) close() {
	if s == nil {
		return
	}
	for _, f := range []*os.File{s.stdin, s.stdout, s.stderr} {
		f.Close() // Delve may have closed it already
	}
}

// stream joins two halves.
type stream struct{ in, out *os.File }

func (s stream) Read(p []byte) (int, error)  { return s.in.Read(p) }
func (s stream) Write(p []byte) (int, error) { return s.out.Write(p) }
func (s stream) Close() error {
	s.in.Close()
	return s.out.Close()
}
