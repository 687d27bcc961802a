//go:build (darwin && (amd64 || arm64)) || (windows && amd64)

package serve

// exitWatch is for Linux, where Delve may lose how a program has ended.
type exitWatch struct{}

func newExitWatch() *exitWatch { return &exitWatch{} }

func (*exitWatch) follow(int) {}

func (*exitWatch) fixExitCode(_ header, frame []byte) []byte { return frame }

func (*exitWatch) close() {}
