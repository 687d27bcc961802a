// Ledger is a program whose values come from elsewhere, for questions about how.
package main

import (
	"fmt"
	"os"
	"reflect"
	"sync"
)

type Account struct {
	Owner   string
	Balance int
}

type Book struct {
	accounts map[string]*Account
	limits   []int
	fees     int
}

var rates = map[string]int{"low": 1, "high": 7} //@mark rates

var payments int

func fee(rate, amount int) int {
	cut := amount * rate / 10 //@mark cut
	return cut                //@mark returned
}

func (b *Book) pay(name string, amount int) {
	account := b.accounts[name]
	part := fee(rates["high"], amount) //@mark fee
	account.Balance -= amount + part   //@mark balance
	b.fees += part                     //@mark fees
	payments++                         //@mark payments
}

// spread goes wrong in one round of many.
func spread(limits []int) {
	for i := range limits {
		limit := i * 2
		if i == 70 {
			limit = -limit
		}
		limits[i] = limit //@mark element
	}
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func (b *Book) elsewhere(gift int) {
	var done sync.WaitGroup
	for _, name := range []string{"ann", "bob", "carol"} {
		done.Go(func() {
			b.accounts[name].Balance += gift //@mark thread
		})
	}
	done.Wait()
}

func main() {
	book := &Book{accounts: map[string]*Account{}, limits: make([]int, 100)}
	for _, name := range []string{"ann", "bob", "carol"} {
		book.accounts[name] = &Account{Owner: name, Balance: 100} //@mark opened
	}
	counter := 0
	count := func(n int) {
		counter += n //@mark captured
	}
	book.elsewhere(5)
	for i := 1; i <= 3; i++ {
		book.pay("bob", i*10) //@mark pay
		count(i)
	}
	spread(book.limits)
	again := book
	again.fees = fib(len(os.Args) + 5) //@mark alias
	dan := &Account{Owner: "dan", Balance: 1}
	reflect.ValueOf(dan).Elem().FieldByName("Balance").SetInt(9) //@mark reflected
	bob := book.accounts["bob"]
	left := bob.Balance                                                                                         //@mark left
	seen := left                                                                                                //@mark seen
	fmt.Println(seen, counter, book.limits[70], book.fees, payments, book.accounts["ann"].Balance, dan.Balance) //@mark check
}
