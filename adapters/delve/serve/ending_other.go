//go:build (darwin && (amd64 || arm64)) || (windows && amd64)

package serve

// ending is for Linux, where Delve may lose how a program has ended.
type ending struct{}

func newEnding() *ending { return &ending{} }

func (*ending) follow(int) {}

func (*ending) heard(_ header, frame []byte) []byte { return frame }

func (*ending) close() {}
