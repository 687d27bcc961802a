package netstat

import (
	"os"
	"slices"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/system/sockets"
)

// Clients are those that are connected to a TCP port of this machine, and whether new
// ones are accepted there still.
func Clients(port int) (accepts bool, clients []Client) {
	table, _ := sockets.Of(os.Getpid(), sockets.Listening, sockets.Connected) // what cannot be looked into has none
	for _, s := range table {
		switch {
		case int(s.Local.Port()) != port:
		case s.State == sockets.Listening:
			accepts = true
		case s.Inode != "0": // somebody has taken it
			clients = append(clients, Client{Address: s.Remote, PID: ownerOf(table, s)})
		}
	}
	return accepts, clients
}

// ownerOf is the process at the far end of a connection within this machine.
func ownerOf(table []sockets.Socket, s sockets.Socket) int {
	i := farEnd(table, s)
	if i < 0 {
		return 0
	}
	return holder(map[string]bool{table[i].Inode: true})
}

// farEnd is the other socket of a connection, -1 when it is not in the table.
func farEnd(table []sockets.Socket, s sockets.Socket) int {
	return slices.IndexFunc(table, func(far sockets.Socket) bool { return far.Local == s.Remote && far.Remote == s.Local })
}

// Peers are the processes of this machine to which a process is connected.
func Peers(pid int) []int {
	own := socketsOf(pid)
	table, _ := sockets.Of(pid, sockets.Connected) // what cannot be looked into has none
	far := map[string]bool{}
	for _, s := range table {
		if !slices.Contains(own, s.Inode) {
			continue
		}
		if i := farEnd(table, s); i >= 0 {
			far[table[i].Inode] = true
		}
	}
	if len(far) == 0 {
		return nil
	}
	var list []int
	for _, other := range process.All() {
		if slices.ContainsFunc(socketsOf(other), func(inode string) bool { return far[inode] }) {
			list = append(list, other)
		}
	}
	return list
}
