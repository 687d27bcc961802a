// Numbers says what it computes, so that it can be compared with what a debugger computes.
package main

import (
	"errors"
	"fmt"
	"math"
)

type temperature float32

// Whole numbers of types with names: what is computed with them is wrapped to their size.
type (
	hue   uint8
	tilt  int8
	count uint64
)

type point struct {
	X, Y float32
	Z    float64
}

// show prints an expression and its value, of a type that prints as it is.
func show(expression string, value any) { fmt.Printf("%s is %v\n", expression, value) }

func compute() {
	f32, f64, g64 := float32(0.1), 0.1, 0.2
	sum := f64 + g64
	warm := temperature(0.3)
	at := point{0.1, -0.5, 0.1}
	list := []float32{0.1, 0.2}
	named := map[string]float32{"a": 0.1}
	c64, c128 := complex64(complex(0.1, 0.2)), complex(0.1, 0.2)
	minus := math.Copysign(0, -1)
	minus32 := float32(minus)
	row := [3]float32{0.1, minus32, 0.3}
	nan, inf := math.NaN(), math.Inf(1)
	odd := complex(nan, 1)
	u8, v8 := uint8(200), uint8(100)
	pointed := &f32
	tint, slope, most := hue(10), tilt(-100), count(1<<63)
	tints := map[hue]int8{245: -3}
	shade := &tint
	show("f32 == 0.1", f32 == 0.1)
	show("f64 == 0.1", f64 == 0.1)
	show("f64+g64 == sum", f64+g64 == sum)
	show("f64+g64 == 0.3", f64+g64 == 0.3)
	show("f64*3 == 0.30000000000000004", f64*3 == 0.30000000000000004)
	show("f32 == float32(f64)", f32 == float32(f64))
	show("float64(f32) == f64", float64(f32) == f64)
	show("warm == 0.3", warm == 0.3)
	show("at.X == 0.1 && at.Z == 0.1", at.X == 0.1 && at.Z == 0.1)
	show("list[0] == 0.1", list[0] == 0.1)
	show(`named["a"] == 0.1`, named["a"] == 0.1)
	show("*pointed == 0.1", *pointed == 0.1)
	show("real(c64) == 0.1", real(c64) == 0.1)
	show("c128 == 0.1+0.2i", c128 == 0.1+0.2i)
	show("f32*3 > 0.3", f32*3 > 0.3)
	show("f32/3", f32/3)
	show("nan == nan", nan == nan)
	show("inf > 3", inf > 3)
	show("nan < 3", nan < 3)
	show("u8+v8 == 44", u8+v8 == 44)
	show("-u8", -u8)
	show("-u8 == 56", -u8 == 56)
	show("^tint", ^tint)
	show("-tint", -tint)
	show("^*shade", ^*shade)
	show("^tint%7", ^tint%7)
	show("tint<<5", tint<<5)
	show("^(tint<<1)", ^(tint << 1))
	show("tint&^2", tint&^2)
	show("tint-11", tint-11)
	show("-slope", -slope)
	show("slope*2", slope*2)
	show("^slope", ^slope)
	show("-most", -most)
	show("^most", ^most)
	show("tints[^tint]", tints[^tint])
	show("^tint == 245", ^tint == 245)
	show("minus", minus)
	show("minus32", minus32)
	show("odd", odd)
	show("c64", c64)
	show("c64*c64", c64*c64)
	fmt.Println(row, warm) //@mark computed
}

func half(n int) (whole int, text string, list []int, err error) { //@mark half
	whole = n / 2 //@mark half-begun
	if n%2 != 0 {
		err = errors.New("odd")
	}
	return whole, fmt.Sprint(n), []int{n}, err
}

func grow(times int) {
	sum, tenth := 0.0, float32(0)
	for i := range times {
		sum += 0.1
		tenth = float32(i) / 10
		fmt.Println(i, sum, tenth) //@mark grown
	}
}

// leave puts something into the memory that the next call gets.
func leave(n int) (sum int) {
	var all [64]int
	for i := range all {
		all[i] = n + i*7_777_777
		sum += all[i]
	}
	return sum
}

func main() {
	compute()
	fmt.Println(leave(3))
	fmt.Println(half(9))
	grow(6)
}
