package testkit

import (
	"strings"
	"syscall"
)

// Goroutines ends the server with SIGQUIT, upon which the Go runtime lists all
// its goroutines, and counts them.
func (s *Server) Goroutines() int {
	s.Signal(syscall.SIGQUIT)
	<-s.Exited()
	return strings.Count("\n"+s.Stderr(), "\ngoroutine ")
}
