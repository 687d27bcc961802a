//go:build !special

package main

func edition() string {
	return "plain" //@mark plain
}
