// Forms has a statement of each form, for what is woven into it must change nothing:
// it prints the same with and without.
package main

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
)

type point struct{ x, y int }

type named struct {
	point
	*tail
	name string
}

type tail struct{ next *tail }

type flag bool

type list[T any] struct{ items []T }

func (l *list[T]) add(item T) (n int) {
	l.items = append(l.items, item)
	n = len(l.items)
	return
}

func (l list[T]) all() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, item := range l.items {
			if !yield(i, item) {
				return
			}
		}
	}
}

const (
	big   = 1 << 62
	small = iota
)

var (
	order             = note("order")
	first, second     = two()
	byKey             = map[uint64]string{1 << 63: "top", small: "one"}
	lit               = func(s string) string { t := s + "!"; return t }("lit")
	_             any = &point{}
)

func note(s string) string { fmt.Println("init", s); return s }

func init() { note("a") }
func init() { note("b") }

func two() (int, string) { return 2, "two" }

func unnamed(int, string) (int, error) { return 1, errors.New("e") }

func blank(_ int, s ...string) (_ int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered %v", r)
		}
	}()
	var none []int
	return none[len(s)], nil
}

func labels() (n int) {
outer:
	for i := 0; i < 5; i++ {
		for j := range 5 {
			switch {
			case j == 3:
				continue outer
			case i == 3:
				break outer
			}
			n += i * j
		}
	}
	i := 0
again:
	i++
	if i < 3 {
		goto again
	}
	n += i
	return n
}

func switches(v any, k int) string {
	out := ""
	switch x := v.(type) {
	case int:
		out += fmt.Sprint("int", x)
	case string, []byte:
		out += fmt.Sprint("text", x)
	case nil:
	default:
		out += "other"
	}
	switch y := k * 2; y {
	case 0:
		out += "zero"
		fallthrough
	case 2:
		y++
		out += fmt.Sprint(y)
	}
	if f := flag(k > 0); f {
		out += "+"
	} else if g := !f; bool(g) {
		out += "-"
	}
	if a, err := unnamed(k, ""); err != nil && a > 0 {
		out += err.Error()
	} else if b := a + 1; b > 0 {
		out += "never"
	}
	return out
}

func assigns() string {
	a, b := 1, 2
	a, b = b, a
	p := &named{point: point{1, 2}, tail: &tail{}, name: "n"}
	p.x, p.point.y, p.name = 5, 6, "m"
	p.tail.next, p.tail = &tail{}, p.tail.next
	arr := [3]point{{1, 1}, {2, 2}}
	arr[1].x++
	i := 0
	i, arr[i].y = 2, 9
	s := make([]int, 2, 8)
	s[len(s)-1] += 4
	s = append(s[:1], s...)
	m := map[string]point{}
	m["k"] = point{y: 1}
	k := "k"
	k, m[k] = "j", point{x: 3}
	func() { *(&a) += 10 }()
	var (
		c = a + b
		d = c * 2
	)
	for c, d = 0, 1; c < 3; c++ {
		d += c
	}
	var (
		iface fmt.Stringer
		_     = iface
	)
	return fmt.Sprint(a, b, *p.point2(), p.name, p.tail == nil, arr, i, s, m, k, c, d, len(m["k"].String()))
}

func (n *named) point2() *point { return &n.point }
func (p point) String() string  { return fmt.Sprint(p.x, "/", p.y) }

func goroutines() int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	total, seen := 0, map[int]int{}
	ch := make(chan int, 3)
	for i := range 20 {
		wg.Add(1)
		go func(n int) {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			total += n
			seen[n]++
			seen[i] += seen[n]
		}(i)
	}
	wg.Wait()
	for i := 0; i < 3; i++ {
		select {
		case ch <- i:
		default:
			total--
		}
	}
	close(ch)
	for v := range ch {
		total += v
	}
	select {
	case v, ok := <-ch:
		if !ok {
			total += v + 100
		}
	}
	return total + len(seen)
}

func panics(depth int) (out string) {
	defer func() {
		if r := recover(); r != nil {
			out = fmt.Sprint(out, " and ", r)
		}
	}()
	defer cleanup(&out)
	if depth > 0 {
		return panics(depth - 1)
	}
	var p *point
	return fmt.Sprint(p.x)
}

func cleanup(out *string) { *out += "cleaned" }

func caller() string {
	_, _, line, _ := runtime.Caller(1)
	pc, _, _, _ := runtime.Caller(0)
	return fmt.Sprint(line, runtime.FuncForPC(pc).Name())
}

func closures() string {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i += 10; return i })
	}
	var nil, true string = "shadow", "ed"
	add := (&list[string]{}).add
	out := fmt.Sprint(fs[0](), fs[0](), fs[2](), nil, true, add("x"))
	l := list[float64]{}
	l.add(1.5)
	l.add(2.5)
	for i, v := range l.all() {
		if i > 0 {
			out += fmt.Sprint(i, v)
			break
		}
	}
	return out
}

func forever() (n int) {
	for {
		n++
		if n > 3 {
			return
		}
	}
}

//go:nosplit
func tiny(n int) int { return n + 1 }

func main() {
	fmt.Println(order, first, second, byKey[1<<63], lit, big)
	fmt.Println(blank(1, "a"))
	fmt.Println(labels(), switches(1, 0), switches("s", 1), switches(nil, 2), switches(2.5, 3))
	fmt.Println(assigns())
	fmt.Println(goroutines())
	fmt.Println(panics(2))
	fmt.Println(caller(), closures(), forever(), tiny(1))
	words := strings.Fields("c b a")
	sort.Slice(words, func(i, j int) bool { return words[i] < words[j] })
	fmt.Println(words)
	defer fmt.Println("not printed")
	os.Exit(func() int { return len(words) }())
}
