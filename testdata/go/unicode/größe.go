// Unicode has letters beyond ASCII in its names, and is run in such a directory.
package main

import "fmt"

func main() {
	größe := 3
	fmt.Println("Größe:", größe) //@mark print
}
