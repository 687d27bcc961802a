//! Answers over HTTP what an order costs, and counts what it was asked.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};

static SERVED: AtomicU64 = AtomicU64::new(0);
static SUM: AtomicU64 = AtomicU64::new(0);

fn price(number: u64, discount: u64) -> u64 {
    let result = number * 20 - discount;
    result
}

fn serve(number: u64) -> String {
    let total = price(number, number % 3);
    SUM.fetch_add(total, Ordering::SeqCst); // known
    SERVED.fetch_add(1, Ordering::SeqCst); // served
    total.to_string()
}

fn count() -> String {
    format!("{} {}", SERVED.load(Ordering::SeqCst), SUM.load(Ordering::SeqCst))
}

/// Answers the requests of a connection; None: it was closed.
fn answer(stream: TcpStream) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    loop {
        let request = lines.next()?.ok()?;
        while !lines.next()?.ok()?.is_empty() {}
        let path = request.split(' ').nth(1)?;
        let text = match path.strip_prefix("/price?number=") {
            Some(number) => serve(number.parse().ok()?),
            None => count(),
        };
        write!(&stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", text.len(), text).ok()?;
    }
}

fn main() {
    let address = format!("127.0.0.1:{}", std::env::args().nth(1).expect("a port"));
    for stream in TcpListener::bind(address).expect("to listen").incoming() {
        std::thread::spawn(move || answer(stream.expect("to be connected")));
    }
}
