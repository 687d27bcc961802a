//! Words that somebody writes, for as long as somebody watches.

use std::sync::atomic::AtomicI64;
use std::{thread, time::Duration};

pub struct Table {
    number: i64,
    kinds: [i32; 4],
}

static SEEN: AtomicI64 = AtomicI64::new(0);
static mut BORN: i64 = 0;
static mut TABLE: Table = Table { number: 0, kinds: [0; 4] };

fn tick(n: i64) {
    unsafe {
        TABLE.number = -n; // number
        TABLE.kinds[2] = n as i32;
    }
    SEEN.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
}

fn main() {
    let pause = std::env::args().nth(1).map_or(1000, |n| n.parse().expect("a number"));
    for n in 1.. {
        tick(n);
        let born = thread::spawn(move || unsafe { BORN = n }); // born
        born.join().expect("it ends");
        thread::sleep(Duration::from_micros(pause));
    }
}
