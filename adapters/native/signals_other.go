//go:build !unix

package native

func signalNumber(string) int { return -1 }

func signalText(name string) string { return name }
