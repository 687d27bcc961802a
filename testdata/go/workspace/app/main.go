// App uses the module beside it, which only the workspace knows of.
package main

import (
	"fmt"

	"example.org/lib"
)

func main() {
	fmt.Println(lib.Add(2, 3)) //@mark main
	fmt.Println(lib.Total(3))
}
