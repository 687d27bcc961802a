//! A program for each way to fail: the argument says which.
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Read;
use std::rc::Rc;
use std::sync::{mpsc, Arc, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Debug)]
struct Address { city: Option<String> }
#[derive(Debug)]
struct Customer { name: String, address: Option<Box<Address>> }
#[derive(Debug)]
struct Order { id: u32, customer: Option<Customer>, prices: Vec<i32> }

struct Shop { stock: HashMap<String, i32>, orders: Vec<Order> }

impl Shop {
    fn price(&self, item: &str) -> i32 {
        self.stock[item] * 2 //@mark key
    }

    fn find(&self, id: u32) -> Option<&Order> {
        self.orders.iter().find(|order| order.id == id)
    }

    fn city_of(&self, id: u32) -> String {
        let noise = 17;
        let order = self.find(id).unwrap(); //@mark called
        format!("{}{}", noise, order.id)
    }
}

fn city(order: &Order) -> &str {
    let unrelated = order.id + 1;
    let customer = order.customer.as_ref().unwrap();
    let address = customer.address.as_ref().expect("an address"); //@mark member
    if unrelated == 0 { return ""; }
    address.city.as_deref().unwrap()
}

fn street(order: &Order) -> usize {
    order
        .customer
        .as_ref()
        .unwrap()
        .address
        .as_ref()
        .unwrap() //@mark chain
        .city
        .as_ref()
        .map_or(0, |c| c.len())
}

fn nth(values: &[i32], from: usize, n: usize) -> i32 {
    let unrelated = 1;
    let twice = values[from + n] * 2; //@mark index
    twice + unrelated
}

fn cut(text: &str, from: usize) -> &str {
    &text[from..from + 3] //@mark slice
}

fn share(total: i32, people: i32) -> i32 {
    let rest = total % 7;
    rest + total / people //@mark zero
}

fn less(small: u32, big: u32) -> u32 {
    small - big //@mark overflow
}

fn parsed(text: &str) -> i32 {
    let n: i32 = text.trim().parse().unwrap(); //@mark parse
    n + 1
}

fn checked(age: i32) -> Result<i32, String> {
    if age < 0 {
        return Err(format!("an age of {age} cannot be"));
    }
    Ok(age)
}

fn shared(cell: &Rc<RefCell<Vec<i32>>>) {
    let held = cell.borrow();
    cell.borrow_mut().push(held.len() as i32); //@mark borrow
}

fn depth(n: u64, sum: u64) -> u64 {
    if n == u64::MAX { return sum; }
    depth(n + 1, sum ^ n) + 1 //@mark deep
}

fn collatz(mut n: u64) -> u64 {
    let mut steps = 0;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { n + 2 }; //@mark busy
        steps += 1;
        if n > 60 { n = 3; }
    }
    steps
}

fn both(a: &Mutex<i32>, b: &Mutex<i32>) -> i32 {
    let one = a.lock().unwrap();
    thread::sleep(Duration::from_millis(100));
    let two = b.lock().unwrap(); //@mark lock
    *one + *two
}

fn deadlock() {
    let (first, second) = (Arc::new(Mutex::new(1)), Arc::new(Mutex::new(2)));
    let (f, s) = (first.clone(), second.clone());
    let t = thread::spawn(move || both(&f, &s));
    both(&second, &first);
    t.join().unwrap();
}

fn blocked() -> i32 {
    let (sender, receiver) = mpsc::channel::<i32>();
    let got = receiver.recv().unwrap(); //@mark blocked
    drop(sender);
    got
}

fn asked() -> usize {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap(); //@mark input
    text.len()
}

fn hoard() -> usize {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    loop {
        kept.push(vec![1; 100_000_000_000_000]); //@mark memory
    }
}

fn in_thread(order: Order) {
    let t = thread::spawn(move || {
        let name = order.customer.unwrap().name; //@mark thread
        println!("{name}");
    });
    t.join().unwrap(); //@mark join
}

fn caught() {
    if let Err(e) = checked(-4) {
        eprintln!("cannot settle: {e}");
        std::process::exit(4); //@mark caught
    }
}

fn network() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let _ = listener.accept(); //@mark network
}

fn library(n: usize) -> Vec<i32> {
    let mut list = vec![1, 2];
    list.swap_remove(n); //@mark library
    list
}

fn sometimes() {
    let n: i32 = std::fs::read_to_string("runs.txt").ok().and_then(|t| t.parse().ok()).unwrap_or(0);
    std::fs::write("runs.txt", (n + 1).to_string()).unwrap();
    if n == 2 { panic!("the third run"); } //@mark flaky
}

fn main() {
    let how = std::env::args().nth(1).unwrap_or_else(|| "ok".to_string());
    println!("begin {how}");
    let nobody = Customer { name: "Nobody".into(), address: None };
    let order = Order { id: 7, customer: Some(nobody), prices: vec![10, 20, 30] };
    let shop = Shop { stock: HashMap::from([("tea".to_string(), 3), ("milk".to_string(), 1)]), orders: vec![] };
    match how.as_str() {
        "member" => println!("{}", city(&order)),
        "chain" => println!("{}", street(&order)),
        "called" => println!("{}", shop.city_of(7)),
        "key" => println!("{}", shop.price("honey")),
        "index" => println!("{}", nth(&order.prices, 2, 3)),
        "slice" => println!("{}", cut("abcd", 2)),
        "zero" => println!("{}", share(100, std::env::args().count() as i32 - 2)),
        "overflow" => println!("{}", less(3, order.id)),
        "parse" => println!("{}", parsed(" 12x ")),
        "result" => println!("{}", checked(-4).unwrap()), //@mark result
        "borrow" => shared(&Rc::new(RefCell::new(order.prices))),
        "assert" => assert_eq!(order.prices.len(), 4, "prices"), //@mark assert
        "unreachable" => unreachable!("no such way: {how}"),
        "deep" => println!("{}", depth(0, 0)),
        "busy" => println!("{}", collatz(27)),
        "deadlock" => deadlock(),
        "blocked" => println!("{}", blocked()),
        "input" => println!("{}", asked()),
        "memory" => println!("{}", hoard()),
        "thread" => in_thread(Order { id: 8, customer: None, prices: vec![] }),
        "caught" => caught(),
        "network" => network(),
        "library" => println!("{:?}", library(7)),
        "sometimes" => sometimes(),
        "exit" => { eprintln!("no such file: shop.txt"); std::process::exit(3) }
        "abort" => std::process::abort(), //@mark abort
        _ => println!("end"),
    }
}
