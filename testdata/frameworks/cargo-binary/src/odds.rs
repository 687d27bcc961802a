fn main() {
    println!("1 in 6");
}
