// Spends a second of processor time, or all that there is, and says by its own clock on what.
use std::hint::black_box;

#[inline]
fn mix(h: u64, i: u64) -> u64 {
    (h ^ i).wrapping_mul(1099511628211)
}

#[inline(never)]
fn stir(n: u64) -> u64 {
    let mut h = 1u64;
    for i in 0..black_box(n) {
        h = black_box(mix(h, i));
    }
    h
}

#[inline(never)]
fn heavy() -> u64 {
    stir(2_000_000) + 1
}

#[inline(never)]
fn light() -> u64 {
    stir(600_000) + 1
}

#[inline(never)]
fn fib(n: u64) -> u64 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

// used is the processor time of the only thread, in nanoseconds.
fn used() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

fn main() {
    while std::env::args().len() > 1 {
        black_box(heavy());
        black_box(light());
    }
    let (mut h, mut l, mut f) = (0.0, 0.0, 0.0);
    while h + l + f < 1.2e9 {
        let t = used();
        black_box(heavy());
        h += used() - t;
        let t = used();
        black_box(light());
        l += used() - t;
        let t = used();
        black_box(fib(black_box(22)));
        f += used() - t;
    }
    let all = (h + l + f) / 100.0;
    println!("heavy={:.2} light={:.2} fib={:.2}", h / all, l / all, f / all);
    std::process::exit(3);
}
