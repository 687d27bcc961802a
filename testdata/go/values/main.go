// Values holds one of each kind of value that is hard to show.
package main

import (
	"fmt"
	"math"
	"strings"
	"time"
)

type tree struct {
	Value       int
	Left, Right *tree
	Parent      *tree
}

type shape interface{ Area() float64 }

type square struct{ Side float64 }

func (s square) Area() float64 { return s.Side * s.Side }

type circle struct{ Radius float64 }

func (c *circle) Area() float64 { return math.Pi * c.Radius * c.Radius }

type stack[T any] struct{ Items []T }

func (s *stack[T]) Push(item T) { s.Items = append(s.Items, item) }

type pair[K comparable, V any] struct {
	Key   K
	Value V
}

type level struct {
	Name string
	Next *level
	List []map[string][]level
}

type mode int

const (
	off mode = iota
	on
)

var total = 42

func nest(depth int) *level {
	if depth == 0 {
		return nil
	}
	return &level{
		Name: fmt.Sprint("level ", depth),
		Next: nest(depth - 1),
		List: []map[string][]level{{"inner": {{Name: "leaf"}}}},
	}
}

func ring(n int) *tree {
	root := &tree{Value: 1}
	root.Left = &tree{Value: n, Parent: root}
	root.Parent = root.Left
	return root
}

//go:noinline
func big() {
	million := make([]int, 1_000_000)
	for i := range million {
		million[i] = i * i
	}
	text := strings.Repeat("0123456789", 100_000)
	lines := "first\n\"quoted\"\ttab — ünïcode 🙂"
	many := make(map[string]int, 10_000)
	for i := range 10_000 {
		many[fmt.Sprintf("key-%05d", i)] = i
	}
	bytes := []byte("raw \x00\x01\xff bytes")
	fmt.Println(len(million), len(text), lines, len(many), len(bytes)) //@mark big
}

func shapes() {
	cyclic := ring(7)
	nested := nest(12)
	var empty shape
	var nilCircle *circle
	list := []shape{square{3}, &circle{1}, nilCircle, empty}
	var anything any = pair[string, []int]{"three", []int{1, 2, 3}}
	numbers := stack[float64]{}
	numbers.Push(1.5)
	words := map[string]stack[string]{"a": {Items: []string{"x", "y"}}}
	messages := make(chan string, 4)
	messages <- "one"
	messages <- "two"
	closed := make(chan int)
	close(closed)
	base := 10
	add := func(n int) int { base += n; return base }
	when := time.Date(2026, time.February, 3, 4, 5, 6, 7, time.UTC)
	wait := 90 * time.Second
	err := fmt.Errorf("outer: %w", fmt.Errorf("inner %d", 5))
	state := on
	huge := uint64(math.MaxUint64)
	small := int64(math.MinInt64)
	ratio := math.Inf(1)
	symbol := 'ü'
	point := complex(1, -2)
	grid := [2][3]int{{1, 2, 3}, {4, 5, 6}}
	var version, success = "user data", false
	fmt.Println(cyclic.Value, nested.Name, len(list), anything, numbers, words, len(messages), len(closed), //@mark shapes
		add(1), when, wait, err, state, huge, small, ratio, symbol, point, grid, version, success, total)
}

func main() {
	big()
	shapes()
}
