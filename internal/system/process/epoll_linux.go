//go:build linux && !amd64

package process

// epollWait: this architecture has only the newer calls, or is not looked at.
const epollWait = -1
