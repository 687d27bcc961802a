// Package holder is a process beside the server that holds its probes as well, and lets go
// of them last. The kernel leaves a probe in a program for good when the process that takes
// it out is killed in the middle of that ("failed to unregister, leaking uprobe" in its
// log); nobody kills this one, which ends by itself when the server has let go or is dead.
//
// It must not know what the descriptors are that it holds.
package holder

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/system/process"
)

// command is the hidden command that turns this binary into a holder, whose standard input
// is the socket.
const command = "hold-probes"

const (
	mostHeld = 1024             // descriptors
	endLimit = 10 * time.Second // for it to let go of all
)

// init does not wait for main: nothing that this binary is otherwise is needed here.
func init() {
	if len(os.Args) != 2 || os.Args[1] != command {
		return
	}
	if err := hold(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, command, "is an internal command:", err)
		os.Exit(2)
	}
	os.Exit(0)
}

// hold takes descriptors until the other end is closed, and closes them.
func hold(input *os.File) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // who ends the server does not mean us
	c, err := net.FileConn(input)
	if err != nil {
		return err
	}
	conn, ok := c.(*net.UnixConn)
	if !ok {
		return errors.New("its standard input is no socket")
	}
	var held []int
	text, rights := make([]byte, 16), make([]byte, unix.CmsgSpace(mostHeld*4))
	for {
		n, size, _, _, err := conn.ReadMsgUnix(text, rights)
		held = append(held, descriptors(rights[:size])...)
		if err != nil || n == 0 {
			release(held)
			return nil
		}
	}
}

// descriptors are those that came with a message.
func descriptors(rights []byte) (all []int) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return nil
	}
	for _, m := range messages {
		if some, err := unix.ParseUnixRights(&m); err == nil {
			all = append(all, some...)
		}
	}
	return all
}

// release closes them, at once: the kernel waits at each for the program's threads.
func release(held []int) {
	var all sync.WaitGroup
	for _, fd := range held {
		all.Go(func() { _ = unix.Close(fd) }) // which does not fail in a way that we could mend
	}
	all.Wait()
}

// Holder is the process as the server has it. Its methods are called by one goroutine.
type Holder struct {
	conn  *net.UnixConn
	ended chan struct{} // closed when the process has ended
}

// Start starts a holder of what is in a program.
func Start(program int) (*Holder, error) {
	self, err := process.Executable()
	if err != nil {
		return nil, err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("making a pair of sockets: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "holder"), os.NewFile(uintptr(pair[1]), "server")
	defer ours.Close()
	defer theirs.Close()
	c, err := net.FileConn(ours)
	if err != nil {
		return nil, fmt.Errorf("using a socket: %w", err)
	}
	cmd := exec.Command(self, command)
	cmd.Stdin = theirs
	cmd.Env = process.Holding(process.Release{PID: program})
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // out of reach of what a terminal sends
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the holder of the probes: %w", err), c.Close())
	}
	h := &Holder{conn: c.(*net.UnixConn), ended: make(chan struct{})}
	go func() { // reaps it; ended by its end, which that of the socket brings
		defer close(h.ended)
		_ = cmd.Wait()
	}()
	return h, nil
}

// Descriptor is what has one of the system's.
type Descriptor interface{ FD() int }

// Hold gives it one, of which nothing ends any more when the server closes its own.
func (h *Holder) Hold(d Descriptor) error {
	if _, _, err := h.conn.WriteMsgUnix([]byte{0}, unix.UnixRights(d.FD()), nil); err != nil {
		return fmt.Errorf("giving a probe to its holder: %w", err)
	}
	return nil
}

// Release has it close what it holds, and returns when that is done.
func (h *Holder) Release() error {
	if err := h.conn.Close(); err != nil {
		return err
	}
	limit := time.NewTimer(endLimit)
	defer limit.Stop()
	select {
	case <-h.ended:
		return nil
	case <-limit.C:
		return fmt.Errorf("the holder of the probes has not let go of them in %v: %w", endLimit, io.ErrNoProgress)
	}
}
