// Stock keeps articles in a list and where each is in an index. After an article has
// been taken out of the list the wrong one is sold.
package main

import (
	"errors"
	"fmt"
	"os"
)

type article struct {
	name   string
	pieces int
}

type store struct {
	articles []*article
	index    map[string]int
	sold     int
}

var errUnknown = errors.New("there is no such article")

func open() *store {
	s := &store{index: map[string]int{}}
	for i, name := range []string{"desk", "lamp", "chair", "shelf"} {
		s.add(name, 10*(i+1))
	}
	return s
}

func (s *store) add(name string, pieces int) {
	at := len(s.articles)
	s.articles = append(s.articles, &article{name, pieces})
	s.index[name] = at //@mark indexed
}

// drop takes an article out of the list.
func (s *store) drop(name string) error {
	at, ok := s.index[name]
	if !ok {
		return errUnknown
	}
	s.articles = append(s.articles[:at], s.articles[at+1:]...) //@mark dropped
	delete(s.index, name)
	return nil
}

func (s *store) sell(name string, pieces int) error {
	at, ok := s.index[name] //@mark found
	if !ok {
		return errUnknown
	}
	if at >= len(s.articles) {
		at = len(s.articles) - 1
	}
	a := s.articles[at]
	if a.pieces < pieces {
		return fmt.Errorf("there are only %d of %s", a.pieces, a.name)
	}
	a.pieces -= pieces //@mark sold
	s.sold += pieces
	return nil
}

func (s *store) count(name string) int {
	for _, a := range s.articles {
		if a.name == name {
			return a.pieces //@mark counted
		}
	}
	return 0
}

func main() {
	s := open()
	steps := []func() error{
		func() error { return s.sell("desk", 2) },
		func() error { return s.sell("shelf", 5) },
		func() error { return s.drop("lamp") },
		func() error { return s.sell("chair", 7) },
		func() error { return s.sell("desk", 1) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	left := s.count("shelf")
	fmt.Println("shelves:", left, "of 35") //@mark short
}
