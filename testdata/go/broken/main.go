// Broken does not compile.
package main

import "fmt"

func main() {
	count := "three"
	var n int = count       //@mark mismatch
	fmt.Println(n, missing) //@mark undefined
}
