package netstat

import (
	"cmp"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/system/sockets"
)

// Listening are the sockets at which a process, and those that it has started, accept
// connections, those of one process by their descriptors: what it has opened first mostly
// comes first. What may not be looked into has none.
func Listening(pid int) []Socket {
	var list []Socket
	tables := map[string]map[string]netip.AddrPort{} // by network namespace
	members := append([]int{pid}, process.Below(pid)...)
	for _, member := range members[:min(len(members), mostOfTree)] {
		for _, inode := range socketsOf(member) {
			network, err := os.Readlink("/proc/" + strconv.Itoa(member) + "/ns/net")
			if err != nil {
				continue
			}
			open, known := tables[network]
			if !known {
				open = listeningSockets(member)
				tables[network] = open
			}
			if at, ok := open[inode]; ok && !hasSocket(list, inode) {
				list = append(list, Socket{inode, member, at})
			}
		}
	}
	return list
}

func hasSocket(list []Socket, inode string) bool {
	return slices.ContainsFunc(list, func(s Socket) bool { return s.Inode == inode })
}

// mostOfTree bounds how many processes of a program are looked at.
const mostOfTree = 100

// socketsOf are the inodes of a process's sockets.
func socketsOf(pid int) []string {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	slices.SortFunc(files, func(a, b os.DirEntry) int { // numbers, not names
		return cmp.Or(cmp.Compare(len(a.Name()), len(b.Name())), strings.Compare(a.Name(), b.Name()))
	})
	var inodes []string
	for _, f := range files {
		link, err := os.Readlink(dir + "/" + f.Name())
		if err != nil {
			continue
		}
		if inode, ok := strings.CutPrefix(link, "socket:["); ok {
			inodes = append(inodes, strings.TrimSuffix(inode, "]"))
		}
	}
	return inodes
}

// Accepts says that somebody accepts connections at a TCP port of this machine.
func Accepts(port int) bool {
	for _, at := range listeningSockets(os.Getpid()) {
		if int(at.Port()) == port {
			return true
		}
	}
	return false
}

// listeningSockets are the TCP sockets of a process's network that accept connections, by inode.
func listeningSockets(pid int) map[string]netip.AddrPort {
	open := map[string]netip.AddrPort{}
	list, _ := sockets.Of(pid, sockets.Listening) // what cannot be looked into has none
	for _, s := range list {
		open[s.Inode] = s.Local
	}
	return open
}
