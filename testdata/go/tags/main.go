// Tags says what it was built with.
package main

import "fmt"

var version = "unset"

func main() {
	kind := edition()
	fmt.Println(kind, version) //@mark print
}
