//go:build race

package cluster

const watched = true // by the race detector
