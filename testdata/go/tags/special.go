//go:build special

package main

func edition() string {
	return "special" //@mark special
}
