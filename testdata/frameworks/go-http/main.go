// Command greeter greets whoever asks over HTTP.
package main

import (
	"cmp"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
)

func greet(w http.ResponseWriter, r *http.Request) {
	name := cmp.Or(r.URL.Query().Get("name"), "nobody")
	greeting := "Hello, " + name
	fmt.Fprintln(w, greeting) // @mark reply
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "0"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/greet", greet)
	log.Fatal(http.Serve(listener, nil))
}
