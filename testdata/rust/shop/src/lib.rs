//! A shop: orders of goods, and what they cost.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

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
        self.items.push(Item { name: name.to_string(), price, count }); //@mark add
        self
    }

    pub fn total(&self) -> u32 {
        let mut sum = 0;
        for item in &self.items {
            let cost = pricing::discount(item.price * item.count, item.count); //@mark loop
            sum += cost; //@mark sum
        }
        sum
    }
}

/// What has a price, whatever it is.
pub trait Priced {
    fn price(&self) -> u32;
}

impl Priced for Item {
    fn price(&self) -> u32 {
        self.price
    }
}

/// One value of every kind that a debugger must show as what it is.
pub fn gallery() -> usize {
    let text = String::from("hello");
    let slice: &str = &text[1..4];
    let numbers = vec![1, 2, 3];
    let part: &[i32] = &numbers[1..];
    let array = [1.5f64, 2.5];
    let pair = (7u8, "seven");
    let map: HashMap<String, i32> = HashMap::from([("one".to_string(), 1)]);
    let tree: BTreeMap<i32, &str> = BTreeMap::from([(1, "a"), (2, "b")]);
    let set: HashSet<i32> = HashSet::from([42]);
    let queue: VecDeque<i32> = VecDeque::from([8, 9]);
    let some: Option<i32> = Some(5);
    let none: Option<i32> = None;
    let good: Result<i32, String> = Ok(1);
    let bad: Result<i32, String> = Err("no".to_string());
    let boxed: Box<Item> = Box::new(Item { name: "box".to_string(), price: 1, count: 1 });
    let shared: Rc<String> = Rc::new("rc".to_string());
    let atomic: Arc<i32> = Arc::new(11);
    let cell = std::cell::RefCell::new(3);
    let card = Payment::Card { number: "4242".to_string(), limit: 100 };
    let voucher = Payment::Voucher(10, Some("May".to_string()));
    let cash = Payment::Cash;
    let letter = 'ß';
    let truth = true;
    let unit = ();
    let wide: u128 = 1 << 100;
    let roots: BTreeMap<u32, u32> = (0..40).map(|n| (n * n, n)).collect(); // of more than one node
    let priced: Box<dyn Priced> = Box::new(Item { name: "dyn".to_string(), price: 2, count: 1 });
    let word: Rc<str> = "word".into();
    let path = std::path::Path::new("/tmp/x");
    let nested = vec![(1i8, ('z', ()))];
    let seen = numbers.len() + part.len() + map.len() + tree.len() + set.len() + queue.len(); //@mark gallery
    drop((text.len(), slice.len(), array, pair, some, none, good, bad, boxed, shared, atomic, cell));
    drop((card, voucher, cash, letter, truth, unit, wide));
    drop((roots.len(), priced.price(), word, path, nested));
    seen
}
