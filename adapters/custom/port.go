package custom

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
)

// The ports that are tried: a range below those that systems give to whoever asks for
// any, which on Linux may begin elsewhere (see ip(7)).
const (
	ownPorts   = 12_000
	givenPorts = 32_768
	givenFile  = "/proc/sys/net/ipv4/ip_local_port_range"
	ownTries   = 20
)

// freePort is a port for an adapter that is told where to listen. Nobody can hold it
// until the adapter does, so it is none that the system would give to another process
// meanwhile; where there is no such port, any.
func freePort() (int, error) {
	for range ownTries {
		port := firstEphemeralPort() - 1 - rand.IntN(ownPorts)
		if port < 1024 {
			break
		}
		if _, err := tryPort(port); err == nil {
			return port, nil
		}
	}
	return tryPort(0)
}

// firstEphemeralPort is the first of the ports that the system gives to whoever asks for any.
func firstEphemeralPort() int {
	first := 0
	text, _ := os.ReadFile(givenFile) // which only Linux has
	if _, err := fmt.Sscan(string(text), &first); err != nil {
		return givenPorts
	}
	return first
}

// tryPort says at which port one could listen now; 0 is any.
func tryPort(port int) (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(local, strconv.Itoa(port)))
	if err != nil {
		return 0, fmt.Errorf("looking for a free port: %w", err)
	}
	port = l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		return 0, fmt.Errorf("looking for a free port: %w", err)
	}
	return port, nil
}
