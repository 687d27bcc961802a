//go:build !unix

package debugpy

func owner(string) int { return -1 }
