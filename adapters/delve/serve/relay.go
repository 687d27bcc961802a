//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"github.com/go-delve/delve/pkg/proc"
	godap "github.com/google/go-dap"
)

// empty is the stdin of a program that has none.
const empty = os.DevNull

// relay sends the program's output to the client as events, on the platforms
// where the server cannot hold the streams itself.
//
// Goroutines: one reads each stream to its end.
type relay struct {
	stdout, stderr proc.OutputRedirect
	readers        sync.WaitGroup
}

func newRelay(send func(any)) (*relay, error) {
	r := &relay{}
	out, stdout, err := proc.Redirector()
	if err != nil {
		return nil, err
	}
	errs, stderr, err := proc.Redirector()
	if err != nil {
		out.Close()
		return nil, err
	}
	r.stdout, r.stderr = stdout, stderr
	r.readers.Go(func() { forward(out, "stdout", send) })
	r.readers.Go(func() { forward(errs, "stderr", send) })
	return r, nil
}

// removePipes removes the names of the pipes: once the program holds them, or will
// never, nobody else needs to find them, and however this process ends none is
// left behind.
func (r *relay) removePipes() {
	if r != nil {
		_ = os.Remove(r.stdout.Path) // Windows has no names to remove
		_ = os.Remove(r.stderr.Path)
	}
}

// holdExit holds the exit event back until all output before it has been sent.
func (r *relay) holdExit(h header) {
	if r != nil && h.Event == "exited" {
		r.readers.Wait()
	}
}

func forward(in io.ReadCloser, category string, send func(any)) {
	defer in.Close()
	buffer := make([]byte, 32<<10)
	kept := 0 // bytes of a character that is not complete yet
	for {
		n, err := in.Read(buffer[kept:])
		n += kept
		whole := n
		if err == nil {
			whole = wholeRunes(buffer[:n])
		}
		if whole > 0 {
			send(godap.OutputEvent{
				Event: event("output"),
				Body:  godap.OutputEventBody{Category: category, Output: string(buffer[:whole])},
			})
		}
		kept = copy(buffer, buffer[whole:n])
		if err != nil {
			return
		}
	}
}

// wholeRunes returns how many bytes of b end with a complete character.
func wholeRunes(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				return len(b)
			}
			return i
		}
	}
	return len(b)
}
