//go:build !linux

package process

// Resident cannot be told here.
func (c *Child) Resident() int64 { return 0 }

// Proportional cannot be told here.
func (c *Child) Proportional() int64 { return 0 }
