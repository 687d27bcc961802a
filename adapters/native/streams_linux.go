package native

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"aidb-mcp/adapters"
)

// channels are the program's standard streams. The program opens its ends by
// their paths, so that no debugger has to pass them on. We keep our copies of
// those ends open until the session is over: the streams are drained at each
// stop and at the end, and nobody has to wait for their end.
type channels struct {
	stdin, stdout, stderr end
}

// end is one stream: ours to use, theirs to be opened by its path.
type end struct {
	ours, theirs *os.File
	path         string
}

// openChannels makes three pipes; with lines, stdout is a terminal instead, so
// that the C library hands each line over when it is printed and not when its
// buffer is full: what a program has printed before a stop is there at the stop.
func openChannels(lines bool) (*channels, error) {
	c := &channels{}
	err := errors.Join(
		c.stdin.pipe(true),
		c.stderr.pipe(false),
	)
	if err == nil && lines && c.stdout.terminal() == nil {
		return c, nil
	}
	if err == nil {
		err = c.stdout.pipe(false)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (e *end) pipe(input bool) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	e.ours, e.theirs = r, w
	if input {
		e.ours, e.theirs = w, r
	}
	raw, err := e.theirs.SyscallConn()
	if err != nil {
		return err
	}
	return raw.Control(func(fd uintptr) { e.path = fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd) })
}

// terminal opens a pseudo terminal that changes nothing of what is written to it.
func (e *end) terminal() error {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	number, err := unlock(master)
	if err != nil {
		master.Close()
		return err
	}
	e.path = fmt.Sprintf("/dev/pts/%d", number)
	slave, err := os.OpenFile(e.path, os.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err == nil {
		err = makeRaw(slave)
	}
	if err != nil {
		master.Close()
		return err
	}
	e.ours, e.theirs = master, slave
	return nil
}

// unlock gives the number of a terminal and lets it be opened.
func unlock(master *os.File) (number int, err error) {
	raw, err := master.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		if number, failed = unix.IoctlGetInt(int(fd), unix.TIOCGPTN); failed == nil {
			failed = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0)
		}
	})
	return number, errors.Join(err, failed)
}

// makeRaw turns all processing of a terminal off: no echo, no carriage returns.
func makeRaw(slave *os.File) error {
	raw, err := slave.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		var t *unix.Termios
		if t, failed = unix.IoctlGetTermios(int(fd), unix.TCGETS); failed != nil {
			return
		}
		t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
		failed = unix.IoctlSetTermios(int(fd), unix.TCSETS, t)
	})
	return errors.Join(err, failed)
}

func (c *channels) streams() *adapters.Streams {
	return &adapters.Streams{Stdin: c.stdin.ours, Stdout: c.stdout.ours, Stderr: c.stderr.ours}
}

func (c *channels) paths() (stdin, stdout, stderr string) {
	return c.stdin.path, c.stdout.path, c.stderr.path
}

func (c *channels) close() {
	for _, e := range []end{c.stdin, c.stdout, c.stderr} {
		for _, f := range []*os.File{e.ours, e.theirs} {
			if f != nil {
				f.Close() // it may be closed already
			}
		}
	}
}
