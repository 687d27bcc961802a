//go:build race

package hostile

// thin is of how many cases one is tried: the race detector makes each ten times slower.
const thin = 16
