use shop::{gallery, parser, Order, Payment};
use std::io::Read;

fn main() {
    let mut order = Order::new(7, Payment::Voucher(10, None)); //@mark main
    order.add("tea", 300, 2).add("cup", 500, 4);
    let total = order.total(); //@mark total
    println!("total {total}"); //@mark print
    let argument = std::env::args().nth(1).unwrap_or_default(); //@mark argument
    match argument.as_str() {
        "gallery" => println!("seen {}", gallery()),
        "panic" => fail(&order),
        "caught" => caught(&order),
        "thread" => thread(),
        "exit" => std::process::exit(3),
        "abort" => std::process::abort(),
        "stdin" => echo(),
        "parse" => println!("{:?}", parser::parse(8, "tea:x:1")),
        _ => eprintln!("done"),
    }
}

fn fail(order: &Order) {
    let wanted = 5;
    let item = &order.items[wanted]; //@mark out-of-range
    println!("{}", item.name);
}

fn caught(order: &Order) {
    let outcome = std::panic::catch_unwind(|| {
        if order.items.len() < 3 {
            panic!("only {} items", order.items.len()); //@mark caught
        }
    });
    println!("caught: {}", outcome.is_err()); //@mark after-caught
}

fn thread() {
    let worker = std::thread::Builder::new().name("worker".to_string()).spawn(|| {
        let none: Option<u32> = None;
        none.expect("a number is needed") //@mark in-thread
    });
    println!("joined: {:?}", worker.unwrap().join().is_err());
}

fn echo() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    print!("{}", text.to_uppercase());
}
