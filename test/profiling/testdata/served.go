package main

import (
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"
	"sync"
	"time"
)

var (
	mu   sync.Mutex
	kept [][]byte
)

func mostly() (sum int) {
	for i := range 9_000_000 {
		sum += i * i % 7
	}
	return sum
}

func rarely() (sum int) {
	for i := range 1_000_000 {
		sum += i * i % 7
	}
	return sum
}

func remember() { kept = append(kept, make([]byte, 64<<10)) }

func locked() {
	mu.Lock()
	mu.Unlock()
}

func receive(from chan int) { <-from }

// private serves the profiles to who knows the password.
func private(w http.ResponseWriter, r *http.Request) {
	if user, password, _ := r.BasicAuth(); user != "me" || password != "secret-17" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	r.URL.Path = strings.TrimPrefix(r.URL.Path, "/private")
	http.DefaultServeMux.ServeHTTP(w, r)
}

func main() {
	mu.Lock()
	for range 3 {
		go locked()
	}
	go receive(make(chan int))
	go func() {
		for {
			mostly()
			rarely()
			remember()
			time.Sleep(5 * time.Millisecond)
		}
	}()
	http.HandleFunc("/private/", private)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Args[1], []byte(listener.Addr().String()), 0o600); err != nil {
		panic(err)
	}
	fmt.Println(http.Serve(listener, nil))
}
