// Relay passes connections on to a port of this machine, as a container engine does for
// a port that it publishes: who listens behind it cannot be seen. It prints the port at
// which it listens itself.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	for {
		near, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		far, err := net.Dial("tcp", "127.0.0.1:"+os.Args[1])
		if err != nil {
			near.Close()
			continue
		}
		go pass(near, far)
		go pass(far, near)
	}
}

// pass ends both connections when one of them ends.
func pass(from, to net.Conn) {
	_, _ = io.Copy(to, from)
	from.Close()
	to.Close()
}
