package sockets

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"strconv"
	"syscall"
)

// What package syscall lacks of sock_diag(7).
const (
	netlinkDiag  = 4  // NETLINK_SOCK_DIAG
	diagByFamily = 20 // SOCK_DIAG_BY_FAMILY
	tcpListen    = 10 // TCP_LISTEN
)

// diagRequest is struct inet_diag_req_v2.
type diagRequest struct {
	Family, Protocol, Extension, _ uint8
	States                         uint32
	ID                             diagID
}

// diagMessage is struct inet_diag_msg.
type diagMessage struct {
	Family, State, Timer, Retransmits uint8
	ID                                diagID
	Expires, Received, Sent           uint32
	UID, Inode                        uint32
}

// diagID is struct inet_diag_sockid.
type diagID struct {
	LocalPort, RemotePort [2]byte
	Local, Remote         [16]byte
	Interface             uint32
	Cookie                [2]uint32
}

// errDiag is an answer that is none.
var errDiag = errors.New("the system's answer about its sockets cannot be read")

// listeningSockets are the sockets of a process's network that accept connections, asked of
// the kernel. Its table in /proc has those of all connections too, and to write that
// it goes through a place for each connection that there could be: milliseconds on a
// large machine, for what is looked at several times a second. It can be asked only
// of the network that this process is in, and not of every kernel: an error is no answer.
func listeningSockets(pid int) ([]Socket, error) {
	ours, err := os.Readlink("/proc/self/ns/net")
	if err != nil {
		return nil, err
	}
	if its, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/ns/net"); err != nil || its != ours {
		return nil, errDiag
	}
	fd, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, netlinkDiag)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	defer syscall.Close(fd)
	var list []Socket
	for _, family := range []uint8{syscall.AF_INET, syscall.AF_INET6} {
		some, err := dump(fd, family)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	return list, nil
}

// dump asks for the sockets of one family and reads the answers up to their end.
func dump(fd int, family uint8) ([]Socket, error) {
	request := binary.NativeEndian.AppendUint32(nil, 0) // its length, below
	request = binary.NativeEndian.AppendUint16(request, diagByFamily)
	request = binary.NativeEndian.AppendUint16(request, syscall.NLM_F_REQUEST|syscall.NLM_F_DUMP)
	request = append(request, make([]byte, 8)...) // sequence, port
	request, err := binary.Append(request, binary.NativeEndian,
		diagRequest{Family: family, Protocol: syscall.IPPROTO_TCP, States: 1 << tcpListen})
	if err != nil {
		return nil, err
	}
	binary.NativeEndian.PutUint32(request, uint32(len(request)))
	if err := syscall.Sendto(fd, request, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return nil, os.NewSyscallError("sendto", err)
	}
	var list []Socket
	for buf := make([]byte, 32<<10); ; { // what the kernel fills at most
		n, _, err := syscall.Recvfrom(fd, buf, 0)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return nil, os.NewSyscallError("recvfrom", err)
		}
		messages, err := syscall.ParseNetlinkMessage(buf[:n])
		if err != nil || len(messages) == 0 {
			return nil, errDiag
		}
		for _, m := range messages {
			switch m.Header.Type {
			case syscall.NLMSG_DONE:
				return list, nil
			case diagByFamily:
				var d diagMessage
				if _, err := binary.Decode(m.Data, binary.NativeEndian, &d); err != nil {
					return nil, errDiag
				}
				list = append(list, d.socket())
			default:
				return nil, errDiag
			}
		}
	}
}

// socket is the message as the table in /proc has it.
func (d *diagMessage) socket() Socket {
	address := func(raw [16]byte, port [2]byte) netip.AddrPort {
		ip := netip.AddrFrom16(raw).Unmap()
		if d.Family == syscall.AF_INET {
			ip = netip.AddrFrom4([4]byte(raw[:4]))
		}
		return netip.AddrPortFrom(ip, binary.BigEndian.Uint16(port[:]))
	}
	return Socket{
		Local: address(d.ID.Local, d.ID.LocalPort), Remote: address(d.ID.Remote, d.ID.RemotePort),
		State: Listening, UID: int(d.UID), Inode: strconv.FormatUint(uint64(d.Inode), 10),
	}
}
