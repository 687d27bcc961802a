use std::sync::{Arc, Barrier, Mutex};
use std::thread;
fn take(x: Arc<Mutex<i32>>, y: Arc<Mutex<i32>>, both: Arc<Barrier>) {
    let _one = x.lock().unwrap();
    both.wait();
    let _two = y.lock().unwrap();
}
fn main() {
    let (a, b, both) = (Arc::new(Mutex::new(1)), Arc::new(Mutex::new(2)), Arc::new(Barrier::new(2)));
    let (a2, b2, both2) = (a.clone(), b.clone(), both.clone());
    thread::spawn(move || take(a, b, both));
    thread::spawn(move || take(b2, a2, both2));
    thread::sleep(std::time::Duration::from_secs(3600));
}
