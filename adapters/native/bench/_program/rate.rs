fn run(n: u64) -> u64 {
    let mut total = 0;
    for i in 0..n {
        total += i;
    }
    total
}

fn main() {
    let n = std::env::args().nth(1).unwrap().parse().unwrap();
    println!("{}", run(n));
}
