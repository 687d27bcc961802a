//go:build !linux || !amd64

package observe

// Bias is not known here.
func Bias(int) (uint64, error) { return 0, ErrUnsupported }
