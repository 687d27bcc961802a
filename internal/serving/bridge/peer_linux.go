package bridge

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"syscall"

	"aidb-mcp/internal/system/sockets"
)

// stranger says why the far end of a connection within this machine is not this
// user's own: any user can listen at a port that is free. Root is nobody to hide from.
func stranger(c net.Conn) error {
	switch c := c.(type) {
	case *net.UnixConn:
		return strangeSocket(c)
	case *net.TCPConn:
		return strangePort(c)
	}
	return nil
}

func strangeSocket(c *net.UnixConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var who *syscall.Ucred
	var asked error
	if err := raw.Control(func(fd uintptr) {
		who, asked = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); err != nil {
		return err
	}
	if asked != nil {
		return asked
	}
	return otherUserError(int(who.Uid))
}

func otherUserError(uid int) error {
	if uid == 0 || uid == os.Getuid() {
		return nil
	}
	return fmt.Errorf("it is run by another user (uid %d)", uid)
}

func strangePort(c *net.TCPConn) error {
	var all owners
	table, err := sockets.Of(os.Getpid())
	if err != nil {
		return fmt.Errorf("who listens there cannot be known: %w", err)
	}
	all.read(table, addressOf(c.RemoteAddr()), addressOf(c.LocalAddr()))
	return all.stranger()
}

// owners are the users that have the far end of a connection, by what the system
// tells of all sockets.
type owners struct {
	listen   []int // at its very address
	anywhere []int // at all addresses, which counts where nobody listens at that one
	accepted []int // have the connection itself
}

func (o *owners) stranger() error {
	listen := o.listen
	if len(listen) == 0 {
		listen = o.anywhere
	}
	if len(listen) == 0 {
		return errors.New("nobody is seen to listen there on this machine")
	}
	for _, uid := range slices.Concat(listen, o.accepted) {
		if err := otherUserError(uid); err != nil {
			return err
		}
	}
	return nil
}

// read takes a table. A connection that nobody has accepted yet has no inode, and
// tells nothing of its owner.
func (o *owners) read(table []sockets.Socket, far, near netip.AddrPort) {
	for _, s := range table {
		listens := s.State == sockets.Listening
		switch {
		case s.Local.Port() != far.Port():
		case listens && s.Local == far:
			o.listen = append(o.listen, s.UID)
		case listens && s.Local.Addr().IsUnspecified() && (s.Local.Addr().Is6() || far.Addr().Is4()):
			o.anywhere = append(o.anywhere, s.UID)
		case s.Local == far && s.Remote == near && s.Inode != "0":
			o.accepted = append(o.accepted, s.UID)
		}
	}
}

func addressOf(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	at := tcp.AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port())
}
