// Waits is a program of async functions, some of which have nothing to wait for.
use std::future::Future;
use std::pin::{pin, Pin};
use std::task::{Context, Poll, Waker};

struct Later(bool);

impl Future for Later {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        Poll::Pending
    }
}

async fn double(n: u32, waits: bool) -> Result<u32, String> {
    Later(!waits).await;
    let m = n * 2;
    if m == 6 { Err(format!("no {n}")) } else { Ok(m) } //@mark doubled
}

async fn gather(waits: bool) -> u32 {
    let mut sum = 0;
    for n in 1..4 {
        let v = double(n, waits).await.unwrap_or(50); //@mark awaited
        sum += v; //@mark added
    }
    sum
}

fn run(waits: bool) -> u32 {
    let mut f = pin!(gather(waits));
    loop {
        if let Poll::Ready(sum) = f.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return sum;
        }
    }
}

fn main() {
    let waits = std::env::args().count() > 1;
    println!("{}", run(waits)); //@mark waited
}
