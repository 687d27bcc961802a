//! A tour round a square.

fn main() {
    let square = [(0.0, 0.0), (0.0, 300.0), (400.0, 300.0), (0.0, 0.0)];
    println!("{} km", route::kilometres(&square));
}
