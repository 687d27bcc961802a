//go:build !linux

package process

// Children are the processes that one has started; this system does not tell.
func Children(int) []Other { return nil }

func settled(int, int) []Other { return nil }

// Mine are the processes of this user; this system does not tell.
func Mine() []Other { return nil }
