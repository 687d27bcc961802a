//! Orders come in one by one, for as long as somebody watches.

use std::{thread, time::Duration};

#[derive(Clone, Copy)]
pub enum State {
    Open,
    Paid,
    Sent,
}

pub struct Item {
    name: String,
    price: i32,
    count: u8,
}

pub struct Order<'a> {
    number: i64,
    item: Item,
    city: &'a str,
    state: State,
    gift: bool,
}

impl Order<'_> {
    #[inline(never)]
    fn total(&self, discount: i64) -> i64 {
        let sum = i64::from(self.item.price) * i64::from(self.item.count);
        sum - discount
    }

    #[inline(never)]
    fn serve(&mut self, served: &mut Vec<i64>) -> &'static str {
        let due = self.total(self.number % 3);
        served.push(due);
        self.state = if due > 100 { State::Sent } else { State::Paid };
        if self.gift { "a gift" } else { "paid" }
    }
}

fn main() {
    let names = ["tea", "coffee"];
    let pause = std::env::args().nth(1).map_or(1000, |n| n.parse().expect("a number"));
    for n in 1.. {
        let mut served = Vec::new();
        let mut order = Order {
            number: n,
            item: Item { name: names[n as usize % 2].to_string(), price: (n * 10) as i32, count: (n % 7) as u8 },
            city: if n % 2 == 0 { "Rome" } else { "Bern" },
            state: State::Open,
            gift: n % 5 == 0,
        };
        order.serve(&mut served);
        thread::sleep(Duration::from_micros(pause));
    }
}
