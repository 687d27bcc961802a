//go:build (darwin && (amd64 || arm64)) || (windows && amd64)

package serve

// monotonic is not known here: durations are left out.
func monotonic() int64 { return 0 }
