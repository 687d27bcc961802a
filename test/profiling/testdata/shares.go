// Spends a second of processor time, or all that there is, and says by its own clock on what.
package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
)

var sink uint64

func mix(h, i uint64) uint64 { return (h ^ i) * 1099511628211 }

//go:noinline
func stir(n uint64) {
	h := uint64(1)
	for i := range n {
		h = mix(h, i)
	}
	sink += h
}

//go:noinline
func heavy() {
	stir(2_000_000)
	sink++
}

//go:noinline
func light() {
	stir(600_000)
	sink++
}

//go:noinline
func fib(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	return fib(n-1) + fib(n-2)
}

func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(1, &r); err != nil { // of the thread
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func main() {
	runtime.LockOSThread()
	for len(os.Args) > 1 {
		heavy()
		light()
	}
	var h, l, f time.Duration
	for h+l+f < 1200*time.Millisecond {
		t := used()
		heavy()
		h += used() - t
		t = used()
		light()
		l += used() - t
		t = used()
		sink += fib(22)
		f += used() - t
	}
	all := float64(h+l+f) / 100
	fmt.Printf("heavy=%.2f light=%.2f fib=%.2f\n", float64(h)/all, float64(l)/all, float64(f)/all)
	os.Exit(3)
}
