//! Programs that hang, one for each argument. A marked line is where the kernel waits or takes a lock.
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex};
use std::thread;

fn transfer(from: &Mutex<i32>, to: &Mutex<i32>, both: &Barrier) {
    let mine = from.lock().unwrap(); // @mark taken
    both.wait();
    let mut theirs = to.lock().unwrap(); // @mark wanted
    *theirs += *mine;
}

/// Each of two transfers holds one account and waits for the other.
fn crossed() {
    let (a, b, both) = (Arc::new(Mutex::new(10)), Arc::new(Mutex::new(20)), Arc::new(Barrier::new(2)));
    let (a2, b2, both2) = (a.clone(), b.clone(), both.clone());
    let there = thread::spawn(move || transfer(&a, &b, &both));
    let back = thread::spawn(move || transfer(&b2, &a2, &both2));
    there.join().unwrap(); // @mark joins
    back.join().unwrap();
}

/// The sender lives in the thread that receives.
fn channel() {
    let (jobs, queue) = mpsc::channel();
    jobs.send(1).unwrap();
    for n in 0..2 {
        let job: i32 = queue.recv().unwrap(); // @mark receives
        println!("{n}: {job}");
    }
    drop(jobs);
}

/// The notification came before the wait.
fn notified() {
    let (ready, changed) = (Mutex::new(false), Condvar::new());
    changed.notify_one();
    let seen = changed.wait(ready.lock().unwrap()).unwrap(); // @mark waits-for-notify
    println!("{seen}");
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("crossed") => crossed(),
        Some("channel") => channel(),
        _ => notified(),
    }
    println!("came to an end");
}
