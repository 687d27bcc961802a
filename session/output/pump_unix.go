//go:build unix

package output

import (
	"errors"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// pump moves a pipe into its stream. Reading and storing are one step under mu,
// so whoever holds mu and finds the pipe empty knows that all which the program
// has written is in the ring. One goroutine runs it.
type pump struct {
	raw  syscall.RawConn
	into *stream

	mu  sync.Mutex
	buf []byte
}

// drainLimit bounds what one drain takes in, for a program that goes on writing.
const drainLimit = 4 << 20

func newPump(file *os.File, into *stream) *pump {
	if file == nil {
		return nil
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	return &pump{raw: raw, into: into, buf: make([]byte, 64<<10)}
}

// run reads until the pipe ends or is closed.
func (p *pump) run() {
	for ended := false; !ended; {
		err := p.raw.Read(func(fd uintptr) bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			n, err := readOnce(fd, p.buf, p.into.write)
			ended = n == 0 && err == nil || err != nil && !isAgain(err)
			return n > 0 || ended
		})
		ended = ended || err != nil
	}
}

// drain empties the pipe without waiting.
func (p *pump) drain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.raw.Control(func(fd uintptr) {
		for total := 0; total < drainLimit; {
			n, err := readOnce(fd, p.buf, p.into.write)
			if n <= 0 || err != nil {
				return
			}
			total += n
		}
	})
}

// readOnce makes one read that does not block, through the buffer.
func readOnce(fd uintptr, buf []byte, into func([]byte)) (int, error) {
	for {
		n, err := unix.Read(int(fd), buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if n > 0 {
			into(buf[:n])
		}
		return n, err
	}
}

func isAgain(err error) bool { return errors.Is(err, unix.EAGAIN) }
