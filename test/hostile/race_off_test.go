//go:build !race

package hostile

const watched = false
