//! Answers over HTTP what an order costs, and counts what it was asked.

use axum::{extract::Query, routing::get, Router};
use std::sync::atomic::{AtomicU64, Ordering};

static SERVED: AtomicU64 = AtomicU64::new(0);
static SUM: AtomicU64 = AtomicU64::new(0);

#[derive(serde::Deserialize)]
struct Order {
    number: u64,
}

fn price(number: u64, discount: u64) -> u64 {
    let result = number * 20 - discount;
    result
}

async fn serve(Query(order): Query<Order>) -> String {
    let total = price(order.number, order.number % 3);
    SUM.fetch_add(total, Ordering::SeqCst); // known
    SERVED.fetch_add(1, Ordering::SeqCst); // served
    total.to_string()
}

async fn count() -> String {
    format!("{} {}", SERVED.load(Ordering::SeqCst), SUM.load(Ordering::SeqCst))
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    let app = Router::new().route("/price", get(serve)).route("/count", get(count));
    let address = format!("127.0.0.1:{}", std::env::args().nth(1).expect("a port"));
    let listener = tokio::net::TcpListener::bind(address).await.expect("to listen");
    axum::serve(listener, app).await.expect("to serve");
}
