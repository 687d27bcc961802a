//go:build !linux

package process

import "time"

// Children are the processes that one has started; this system does not tell.
func Children(int) []Other { return nil }

func settledChildren(int, int) []Other { return nil }

// Mine are the processes of this user; this system does not tell.
func Mine() []Other { return nil }

// OwnerOf is the user as whom a process runs; this system does not tell.
func OwnerOf(int) int { return -1 }

// Lineage is a process and what it was started by; this system does not tell.
func Lineage(pid int) []int { return []int{pid} }

// Began is when a process was started; this system does not tell.
func Began(int) time.Time { return time.Time{} }
