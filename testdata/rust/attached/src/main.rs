// Somebody's production: two threads do some work 500 times a second each, and a
// server answers each line with how far they are.
#![allow(non_upper_case_globals)]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
use std::time::Duration;

static mut counter: i64 = 0;
static COUNTS: [AtomicI64; 2] = [AtomicI64::new(0), AtomicI64::new(0)];

#[inline(never)]
fn work(n: i64) -> i64 {
    unsafe { counter = n + 1 }; //@mark hot
    n + 1
}

fn count(i: usize) {
    let mut n = 0;
    loop {
        n = work(n);
        COUNTS[i].store(n, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(2));
    }
}

fn answer(mut stream: TcpStream) {
    let lines = BufReader::new(stream.try_clone().unwrap()).lines();
    for line in lines {
        let Ok(line) = line else { return };
        let counts: Vec<String> = COUNTS.iter().map(|c| c.load(Ordering::SeqCst).to_string()).collect();
        if writeln!(stream, "{} {}", line, counts.join(" ")).is_err() {
            return;
        }
    }
}

fn main() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    for i in 0..COUNTS.len() {
        thread::spawn(move || count(i));
    }
    println!("port {}", server.local_addr().unwrap().port());
    for stream in server.incoming().flatten() {
        thread::spawn(move || answer(stream));
    }
}
