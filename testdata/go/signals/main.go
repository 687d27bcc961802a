// Signals meets signals in the way its argument says.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func handled() {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGUSR1)
	if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
		panic(err)
	}
	fmt.Println("handled", <-got) //@mark handled
}

func fatal(sig syscall.Signal) {
	if err := syscall.Kill(os.Getpid(), sig); err != nil { //@mark kill
		panic(err)
	}
	select {}
}

func main() {
	switch os.Args[1] {
	case "handled":
		handled()
	case "term":
		fatal(syscall.SIGTERM)
	case "kill":
		fatal(syscall.SIGKILL)
	case "segv":
		fatal(syscall.SIGSEGV)
	}
}
