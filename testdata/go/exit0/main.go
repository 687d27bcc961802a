// Exit0 is over before anything could stop it.
package main

import "os"

func main() {
	os.Exit(0)
}

func never() int {
	return 1 //@mark never
}
