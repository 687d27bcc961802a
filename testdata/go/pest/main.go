// Pest MODE TOKEN KIND… surrounds itself with processes (pest.sh), ignores the
// signals that ask it to end, and stays unless MODE is exit. The same program
// stands in testdata for every language.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

const serial = 0 // edited to have it built anew

func main() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	pests := exec.Command("sh", append([]string{"pest.sh"}, os.Args[2:]...)...)
	pests.Stdout = os.Stdout
	_ = pests.Run()
	fmt.Println("ready", serial)
	ticks := 0
	for os.Args[1] != "exit" || ticks < 3 {
		ticks++ //@mark stop
		time.Sleep(10 * time.Millisecond)
	}
}
