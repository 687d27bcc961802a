//go:build !linux

package offspring

import (
	"errors"
	"syscall"
)

// Kernel makes no watches on this system.
type Kernel struct{}

// Watch is of a system that does not tell.
type Watch struct{}

// Watch is not possible here.
func (*Kernel) Watch() (*Watch, error) { return nil, errors.ErrUnsupported }

// Below is not known here.
func (*Watch) Below(int) (Descent, bool) { return Descent{}, false }

// Close has nothing to end.
func (*Watch) Close() {}

func signalName(s syscall.Signal) string { return s.String() }
