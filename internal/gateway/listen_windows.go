package gateway

import "net"

// listenPrivately: a socket has the access list of its folder here.
func listenPrivately(path string) (net.Listener, error) { return net.Listen("unix", path) }
