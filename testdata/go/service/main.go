// Service runs on and on, for attaching to: it counts requests.
package main

import (
	"fmt"
	"time"
)

type service struct {
	Name     string
	Requests int
}

func (s *service) handle(n int) {
	s.Requests += n //@mark handle
}

func main() {
	s := &service{Name: "counter"}
	fmt.Println("serving")
	for {
		s.handle(1)
		time.Sleep(5 * time.Millisecond)
	}
}
