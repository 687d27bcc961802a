// Environment prints what it was started with.
package main

import (
	"fmt"
	"os"
)

func main() {
	dir, err := os.Getwd()
	fmt.Println("args", len(os.Args[1:]), os.Args[1:]) //@mark args
	fmt.Println("cwd", dir, err)
	fmt.Println("greeting", os.Getenv("GREETING"))
	fmt.Println("planet", os.Getenv("PLANET"))
}
