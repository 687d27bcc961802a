// Mapwrite writes to one map from many goroutines, which the runtime notices
// and answers with a fatal error that no recover can catch.
package main

import "sync"

func fill(counts map[int]int, worker int) {
	for i := 0; ; i++ {
		counts[i%512] = worker //@mark write
	}
}

func main() {
	counts := map[int]int{}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() { fill(counts, worker) })
	}
	wg.Wait()
}
