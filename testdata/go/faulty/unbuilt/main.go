package main

func main() {
	var order string = 7 //@mark unbuilt
	println(order)
}
