// Package sockets reads the system's table of TCP sockets, where there is one
// (Linux). It connects to nothing.
package sockets

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
)

// State is what a socket does, as the table has it.
type State string

// The states that matter here.
const (
	Connected State = "01"
	Listening State = "0A" // it accepts connections
)

// Socket is one line of the table.
type Socket struct {
	Local, Remote netip.AddrPort
	State         State
	UID           int
	Inode         string // names it for as long as it is open; "0" when no process has it (yet)
}

// Of are the TCP sockets of the network that a process lives in, of these states; all
// where none is given. An error is that the system tells none.
func Of(pid int, states ...State) ([]Socket, error) {
	if len(states) == 1 && states[0] == Listening {
		if list, err := listeningSockets(pid); err == nil {
			return list, nil
		}
	}
	return tables(pid, states...)
}

// tables reads the tables of the network that a process lives in.
func tables(pid int, states ...State) ([]Socket, error) {
	var list []Socket
	var failed error
	known := false
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/net/" + table)
		if err != nil {
			failed = err
			continue
		}
		known = true
		list = append(list, Read(string(text), states...)...)
	}
	if !known {
		return nil, failed
	}
	return list, nil
}

// The columns of a table.
const (
	localColumn, remoteColumn, stateColumn, uidColumn, inodeColumn = 1, 2, 3, 7, 9
)

// Read takes the sockets of these states from a table; all where none is given.
func Read(table string, states ...State) []Socket {
	var list []Socket
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) <= inodeColumn || len(states) > 0 && !slices.Contains(states, State(fields[stateColumn])) {
			continue
		}
		local, ok := parseAddress(fields[localColumn])
		uid, err := strconv.Atoi(fields[uidColumn])
		if !ok || err != nil {
			continue
		}
		remote, _ := parseAddress(fields[remoteColumn])
		list = append(list, Socket{local, remote, State(fields[stateColumn]), uid, fields[inodeColumn]})
	}
	return list
}

// parseAddress reads "0100007F:1F90": each four bytes of the address as a number of
// this machine's byte order, in hexadecimal.
func parseAddress(text string) (netip.AddrPort, bool) {
	host, port, _ := strings.Cut(text, ":")
	raw, err := hex.DecodeString(host)
	n, bad := strconv.ParseUint(port, 16, 16)
	if err != nil || bad != nil || len(raw)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for word := range slices.Chunk(raw, 4) {
		binary.NativeEndian.PutUint32(word, binary.BigEndian.Uint32(word))
	}
	address, ok := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(address.Unmap(), uint16(n)), ok
}
