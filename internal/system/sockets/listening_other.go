//go:build !linux

package sockets

import "errors"

// listening is for systems that can be asked for those sockets alone.
func listening(int) ([]Socket, error) { return nil, errors.ErrUnsupported }
