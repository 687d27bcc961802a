package main

import (
	"os"
	"reflect"
	"testing"
)

func discount(order *Order, percent int) int {
	kept := 100 - percent
	total := 0
	for _, price := range order.Prices {
		total += price
	}
	return total * kept / 10 //@mark discount
}

func TestDiscount(t *testing.T) {
	order := orders()[0]
	got := discount(order, 50)
	if got != 21 {
		t.Errorf("discount(%d) = %d, want %d", order.Number, got, 21) //@mark errorf
	}
}

// equal is how assertion packages tell what they wanted.
func equal(t *testing.T, want, got any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("Not equal:\nexpected: %v\nactual  : %v", want, got) //@mark equal-failed
	}
}

func TestPrices(t *testing.T) {
	equal(t, []int{30, 13}, orders()[0].Prices) //@mark equal
}

func TestMean(t *testing.T) { mean(orders()[1]) }

func TestFine(t *testing.T) {
	if got := mean(orders()[0]); got != 21 {
		t.Error(got)
	}
}

func TestFlaky(t *testing.T) {
	file, err := os.OpenFile("count", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString("."); err != nil {
		t.Fatal(err)
	}
	if runs(file)%3 == 0 {
		t.Error("every third run fails") //@mark flaky
	}
}

func runs(file *os.File) int64 {
	info, err := file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}
