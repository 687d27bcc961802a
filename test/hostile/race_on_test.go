//go:build race

package hostile

const watched = true // by the race detector
