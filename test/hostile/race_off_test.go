//go:build !race

package hostile

const thin = 1
