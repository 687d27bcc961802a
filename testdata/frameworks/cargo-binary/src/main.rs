//! Rolls dice that are the same each time.
mod roll;

fn main() {
    let rolled = roll::rolls(7, 5);
    println!("{rolled:?}");
}
