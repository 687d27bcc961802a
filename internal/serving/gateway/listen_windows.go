package gateway

import (
	"math"
	"net"
)

// listenPrivately: a socket has the access list of its folder here.
func listenPrivately(path string) (net.Listener, error) { return net.Listen("unix", path) }

// descriptors are as many as there is memory for.
func descriptors() int { return math.MaxInt32 }
