package testkit

import (
	"net"
	"strconv"
)

// Address is that of a [Port], as it is dialled.
func Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
