// Watch changes a variable in a place that is not easy to see.
package main

import "fmt"

type settings struct{ Limit, Used int }

var global = settings{Limit: 10}

func innocent(s *settings) {
	s.Used++
}

func guilty(s *settings) {
	limit := &s.Limit
	*limit = -1 //@mark write
	s.Used++    //@mark written
}

func main() {
	fmt.Println("start", global.Limit) //@mark start
	for i := range 10 {
		innocent(&global)
		if i == 6 {
			guilty(&global)
		}
	}
	fmt.Println("end", global) //@mark end
}
