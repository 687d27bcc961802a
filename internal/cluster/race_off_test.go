//go:build !race

package cluster

const watched = false
