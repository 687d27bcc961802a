//go:build !linux || !(amd64 || arm64)

package mend

import "errors"

var errUnknown = errors.New("this system does not show it")

// Look cannot see anything on this system.
func Look(int) (Sight, error) { return Sight{}, errUnknown }

// Program cannot mend anything on this system.
func Program(int, Sight) (mended []Trap, err error) { return nil, errUnknown }

// Tracer cannot be told on this system.
func Tracer(int) (int, error) { return 0, errUnknown }
