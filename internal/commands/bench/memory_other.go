//go:build !linux

package bench

import "errors"

// resident is memory in MB.
type resident struct{ rss, pss, supervisors float64 }

var errNotMeasured = errors.New("memory is only measured on Linux")

func residentOf(int) (resident, error)           { return resident{}, errNotMeasured }
func residentTree(int, string) (resident, error) { return resident{}, errNotMeasured }
