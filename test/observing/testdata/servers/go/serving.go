// Command serving answers over HTTP what an order costs, and counts what it was asked.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
)

var (
	mu          sync.Mutex
	Served, Sum int
)

//go:noinline
func price(number, discount int) int {
	result := number*20 - discount
	return result
}

func serve(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.URL.Query().Get("number"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	total := price(number, number%3)
	mu.Lock()
	Sum += total // known
	Served++     // served
	mu.Unlock()
	fmt.Fprintln(w, total)
}

func count(w http.ResponseWriter, _ *http.Request) {
	mu.Lock()
	defer mu.Unlock()
	fmt.Fprintln(w, Served, Sum)
}

func main() {
	http.HandleFunc("/price", serve)
	http.HandleFunc("/count", count)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
