// App uses a vendored package and one of its own module.
package main

import (
	"fmt"

	"example.org/greeting"
	"example.org/vendored/internal/text"
)

func main() {
	fmt.Println(text.Shout(greeting.Hello("vendor"))) //@mark main
}
