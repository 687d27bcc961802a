// Package greeting is a dependency that exists in vendor only.
package greeting

// Hello greets.
func Hello(name string) string {
	return "hello " + name //@mark hello
}
