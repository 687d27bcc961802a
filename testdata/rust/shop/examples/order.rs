use shop::{Order, Payment};

fn main() {
    let mut order = Order::new(1, Payment::Cash);
    order.add("pot", 1000, 1); //@mark example
    println!("example {}", order.total());
}
