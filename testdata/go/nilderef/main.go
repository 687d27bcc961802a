// Nilderef follows a nil pointer: a missing user is found as nil.
package main

import "fmt"

type user struct{ Name string }

func find(users map[string]*user, id string) *user {
	return users[id]
}

func greet(id string) string {
	users := map[string]*user{"ada": {Name: "Ada"}}
	u := find(users, id)
	return "hello " + u.Name //@mark deref
}

func main() {
	fmt.Println(greet("ada"))
	fmt.Println(greet("bob"))
}
