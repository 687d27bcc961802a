package main

import (
	"sync"
	"time"
)

var a, b sync.Mutex
var both sync.WaitGroup

func take(first, second *sync.Mutex) {
	first.Lock()
	both.Done()
	both.Wait()
	second.Lock()
}

func main() {
	both.Add(2)
	go take(&a, &b)
	go take(&b, &a)
	time.Sleep(time.Hour)
}
