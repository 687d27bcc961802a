//go:build (darwin && (amd64 || arm64)) || (windows && amd64)

package serve

// letGo is for Linux, where the program is let go by hand.
func (*front) letGo() (bool, error) { return false, nil }

func wholly(int) bool { return true }
