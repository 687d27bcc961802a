// Fork starts two children that would outlive it: one in its process group and
// one in a session of its own.
package main

import (
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

func start(setsid bool) *exec.Cmd {
	cmd := exec.Command("sleep", "3600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: setsid}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

func main() {
	near, far := start(false), start(true)
	out, err := exec.Command("echo", "hello from a child").Output()
	fmt.Printf("%s%v\n", out, err)
	fmt.Println("children", near.Process.Pid != 0, far.Process.Pid != 0) //@mark forked
	for {
		time.Sleep(time.Second)
	}
}
