//go:build linux

package languages

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"time"

	"aidb-mcp/internal/testkit"
)

// knockCommand makes an intruder of the test binary; see TestMain.
const knockCommand = "knock"

// knock tries to get a word out of sockets, as somebody would who wants to debug
// with another's rights. It prints what it got.
func knock(addresses []string) {
	for _, address := range addresses {
		if filepath.IsAbs(address) {
			knockAt(address, func() (net.Conn, error) { return net.Dial("unix", address) })
			continue
		}
		knockAt(address, func() (net.Conn, error) { return net.Dial("tcp", address) })
		knockAt("the other family's "+address, func() (net.Conn, error) { return dialMapped(address) })
	}
}

func knockAt(address string, dial func() (net.Conn, error)) {
	for _, words := range []string{
		"GET /json/list HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"Content-Length: 71\r\n\r\n" + `{"seq":1,"type":"request","command":"initialize","arguments":{"a":"b"}}`,
		"JDWP-Handshake",
	} {
		conn, err := dial()
		if err != nil {
			continue
		}
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		_, _ = io.WriteString(conn, words)
		got, _ := io.ReadAll(io.LimitReader(conn, 2000))
		conn.Close()
		if len(got) > 0 && !strings.HasPrefix(string(got), "HTTP/1.0 4") {
			fmt.Printf("%s answered %.8q with %q\n", address, words, got)
		}
	}
}

// dialMapped connects to a port of 127.0.0.1 by a socket of IPv6, whose row stands
// in another of the system's tables.
func dialMapped(address string) (net.Conn, error) {
	_, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return nil, err
	}
	fd, err := syscall.Socket(syscall.AF_INET6, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), address)
	defer f.Close()
	to := syscall.SockaddrInet6{Port: port}
	copy(to.Addr[:], net.IPv4(127, 0, 0, 1).To16())
	if err := syscall.Connect(fd, &to); err != nil {
		return nil, err
	}
	return net.FileConn(f)
}

// listening are the sockets on which a process and its descendants listen.
func listening(pid int) []string {
	owned := map[string]bool{}
	for _, p := range testkit.Descendants(pid) {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.PID))
		for _, link := range links {
			if name, err := os.Readlink(link); err == nil && strings.HasPrefix(name, "socket:[") {
				owned[strings.Trim(name, "socket:[]")] = true
			}
		}
	}
	var list []string
	rows := func(table string, see func(fields []string)) {
		f, err := os.Open(table)
		if err != nil {
			return
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			see(strings.Fields(lines.Text()))
		}
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		rows(table, func(f []string) {
			if len(f) > 9 && f[3] == "0A" && owned[f[9]] {
				_, hex, _ := strings.Cut(f[1], ":")
				port, _ := strconv.ParseInt(hex, 16, 32)
				list = append(list, fmt.Sprintf("localhost:%d", port))
			}
		})
	}
	rows("/proc/net/unix", func(f []string) {
		if len(f) > 7 && f[3] == "00010000" && owned[f[6]] {
			list = append(list, f[7])
		}
	})
	slices.Sort(list)
	return list
}
