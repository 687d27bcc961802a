//! Tasks of tokio that hang: one keeps a lock and waits for a message that nobody sends, one wants the lock.

use std::sync::Arc;
use tokio::sync::{oneshot, Mutex};

async fn keeper(lock: Arc<Mutex<i32>>, reply: oneshot::Receiver<i32>) {
    let mut kept = lock.lock().await;
    *kept += reply.await.unwrap_or(0);
}

async fn wanter(lock: Arc<Mutex<i32>>) {
    *lock.lock().await += 1;
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("to begin");
    let lock = Arc::new(Mutex::new(0));
    let (_send, reply) = oneshot::channel();
    let kept = runtime.spawn(keeper(lock.clone(), reply));
    runtime.spawn(wanter(lock));
    runtime.block_on(kept).expect("to end"); // @mark blocks
}
