package inspector

import (
	"fmt"
	"io"
	"log/slog"
	"os"
)

// RelayCommand is the hidden command that makes a relay of this binary, in a process of
// its own: it outlives its server, whose death is the end of its input, and js-debug, and
// takes leave of node for them. It says that it listens with a line.
const RelayCommand = "relay-node"

func init() {
	if len(os.Args) != 4 || os.Args[1] != RelayCommand {
		return
	}
	r, err := NewRelay(os.Args[2], os.Args[3], slog.New(slog.DiscardHandler))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = fmt.Fprintln(os.Stdout, "listens") // to its server
	_, _ = io.Copy(io.Discard, os.Stdin)
	r.Close()
	os.Exit(0)
}
