//go:build !linux

package sockets

import "errors"

// listeningSockets is for systems that can be asked for those sockets alone.
func listeningSockets(int) ([]Socket, error) { return nil, errors.ErrUnsupported }
