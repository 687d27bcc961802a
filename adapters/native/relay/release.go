package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
)

// ErrNone says that there is no relay: LLDB has none yet, or none on this system.
var ErrNone = errors.New("there is no relay")

// released is what a relay says when it has let the program go.
const released = "released"

// Release has the relay that listens at a socket let its program go, and waits until it has.
func Release(ctx context.Context, socket string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if errors.Is(err, os.ErrNotExist) {
		return ErrNone
	}
	if err != nil {
		return fmt.Errorf("asking for the program to be let go: %w", err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	said, err := io.ReadAll(conn)
	switch {
	case err != nil:
		return fmt.Errorf("waiting for the program to be let go: %w", err)
	case string(said) != released:
		return fmt.Errorf("the program was not let go in order: %s", said)
	}
	return nil
}
