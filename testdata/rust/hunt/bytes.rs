// Sums what stands in a list up, whose items a pattern takes out of their references.

fn put(sum: &mut u64, place: usize, byte: u8) {
    *sum += place as u64 * u64::from(byte);
}

fn main() {
    let mut sum = 0;
    let list = vec![7u8, 40, 3];
    for (place, &byte) in list.iter().enumerate() {
        put(&mut sum, place, byte); //@mark put
    }
    println!("{sum}"); //@mark summed
}
