// Shop answers requests, and says of each what it has computed and how many there were.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

var served atomic.Int64

func price(n int) int {
	total := n*3 + 1 //@mark total
	return total     //@mark price
}

func order(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.FormValue("n"))
	served.Add(1)
	_, _ = fmt.Fprintf(w, "total %d, served %d, %s\n", price(n), served.Load(), r.Header.Get("Authorization"))
}

func later(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "accepted\n")
	time.AfterFunc(100*time.Millisecond, func() { price(5) })
}

func main() {
	http.HandleFunc("/order", order)
	http.HandleFunc("/plain", func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	http.HandleFunc("/later", later)
	http.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
	})
	http.HandleFunc("/exit", func(http.ResponseWriter, *http.Request) { os.Exit(4) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("serving", l.Addr())
	_ = http.Serve(l, nil)
}
