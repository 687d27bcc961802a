use shop::{Order, Payment};

fn main() {
    let mut order = Order::new(7, Payment::Voucher(10, None));
    order.add("tea", 300, 2).add("cup", 500, 4);
    println!("total {}", order.total());
}
