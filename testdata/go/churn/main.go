// Package main runs on, and its runtime sends signals to all of its threads without end.
package main

import "runtime"

func main() {
	for range 4 {
		go func() {
			for {
				_ = make([]byte, 1<<20)
			}
		}()
	}
	go func() {
		for {
			runtime.GC()
		}
	}()
	for {
	}
}
