//go:build !linux || !amd64

package sample

import "context"

// Sampler samples nothing here.
type Sampler struct{}

// Check says that it cannot be done here.
func Check() error { return ErrUnsupported }

// Start cannot be done here.
func Start(context.Context, int, string) (*Sampler, error) { return nil, ErrUnsupported }

// Stop has nothing to give.
func (*Sampler) Stop() *Taken { return &Taken{} }
