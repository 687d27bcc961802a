package bridge

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
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
	return ofAnother(int(who.Uid))
}

func ofAnother(uid int) error {
	if uid == 0 || uid == os.Getuid() {
		return nil
	}
	return fmt.Errorf("it is run by another user (uid %d)", uid)
}

// The columns of the system's table of TCP sockets, and the state of one that listens.
const (
	localColumn, remoteColumn, stateColumn, uidColumn, inodeColumn = 1, 2, 3, 7, 9

	listening = "0A"
)

func strangePort(c *net.TCPConn) error {
	var all owners
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		if text, err := os.ReadFile(table); err == nil {
			all.read(string(text), addressOf(c.RemoteAddr()), addressOf(c.LocalAddr()))
		}
	}
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
		if err := ofAnother(uid); err != nil {
			return err
		}
	}
	return nil
}

// read takes a table. A connection that nobody has accepted yet has no inode, and
// tells nothing of its owner.
func (o *owners) read(table string, far, near netip.AddrPort) {
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) <= inodeColumn {
			continue
		}
		local, ok := tableAddress(fields[localColumn])
		uid, err := strconv.Atoi(fields[uidColumn])
		if !ok || err != nil || local.Port() != far.Port() {
			continue
		}
		remote, _ := tableAddress(fields[remoteColumn])
		listens := fields[stateColumn] == listening
		switch {
		case listens && local == far:
			o.listen = append(o.listen, uid)
		case listens && local.Addr().IsUnspecified() && (local.Addr().Is6() || far.Addr().Is4()):
			o.anywhere = append(o.anywhere, uid)
		case local == far && remote == near && fields[inodeColumn] != "0":
			o.accepted = append(o.accepted, uid)
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

// tableAddress reads 0100007F:0F3C: words of four bytes in the machine's own order.
func tableAddress(text string) (netip.AddrPort, bool) {
	address, port, _ := strings.Cut(text, ":")
	bytes, err := hex.DecodeString(address)
	n, failed := strconv.ParseUint(port, 16, 16)
	if err != nil || failed != nil || len(bytes)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for word := range slices.Chunk(bytes, 4) {
		binary.NativeEndian.PutUint32(word, binary.BigEndian.Uint32(word))
	}
	ip, ok := netip.AddrFromSlice(bytes)
	return netip.AddrPortFrom(ip.Unmap(), uint16(n)), ok
}
