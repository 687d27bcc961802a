//! A shop: orders of goods, and what they cost.
//!
//! An order has items and a way to pay. An item is cheaper the more of it are bought
//! (see pricing), and an order can be read from a text such as "tea:300:2,cup:500:4"
//! (see parser).

pub mod parser;
pub mod pricing;

#[derive(Debug, Clone, PartialEq)]
pub enum Payment {
    Cash,
    Card { number: String, limit: u32 },
    Voucher(u32, Option<String>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub name: String,
    pub price: u32,
    pub count: u32,
}

#[derive(Debug)]
pub struct Order {
    pub id: u64,
    pub items: Vec<Item>,
    pub payment: Payment,
    pub notes: Option<String>,
}

impl Order {
    pub fn new(id: u64, payment: Payment) -> Self {
        Order { id, items: Vec::new(), payment, notes: None }
    }

    pub fn add(&mut self, name: &str, price: u32, count: u32) -> &mut Self {
        self.items.push(Item { name: name.to_string(), price, count });
        self
    }

    pub fn total(&self) -> u32 {
        let mut sum = 0;
        for item in &self.items {
            let cost = pricing::discount(item.price * item.count, item.count);
            sum += cost;
        }
        sum
    }
}
