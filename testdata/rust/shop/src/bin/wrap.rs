fn main() {
    println!("wrapped {}", shop::pricing::discount(100, 3)); //@mark wrap
}
