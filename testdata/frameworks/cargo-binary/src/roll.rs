/// Rolls of a die with six sides, by a generator that starts from a seed.
pub fn rolls(seed: u32, count: usize) -> Vec<u32> {
    let mut state = seed;
    let mut rolled = Vec::new();
    for _ in 0..count {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        rolled.push((state >> 16) % 6 + 1);
    }
    rolled // @mark rolled
}
