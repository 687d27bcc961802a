// Tour goes through what a debugger is asked for; its first argument names the
// part. The same program stands in testdata for every language.
#![allow(non_upper_case_globals, static_mut_refs)]

use std::collections::BTreeMap;
use std::hint::black_box; // keeps the compiler from leaving out what has no effect
use std::io::{BufRead, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

fn main() {
    let part = std::env::args().nth(1).unwrap_or("loop".to_string()); //@mark main
    match part.as_str() {
        "loop" => loop_(),
        "calls" => calls(),
        "values" => values(),
        "big" => big(),
        "watch" => watch(),
        "throw" => throw(),
        "catch" => catch(),
        "exit3" => exit3(),
        "streams" => streams(),
        "echo" => echo(),
        "spin" => spin(),
        "sleep" => sleep(),
        "threads" => threads(),
        "recursion" => recursion(),
        _ => panic!("there is no part {part}"),
    }
}

fn loop_() {
    let items = [3, 1, 4, 1, 5, 9, 2, 6, 5, 4];
    let mut total = 0; //@mark loop-start
    for i in 0..10 {
        let item = items[i];
        total += item; //@mark sum
    }
    println!("total {total}"); //@mark loop-end
}

fn twice(n: i32) -> i32 {
    let result = n * 2; //@mark twice
    black_box(result) //@mark twice-return
}

fn combine(a: i32, b: i32) -> i32 {
    let both = a + b; //@mark combine
    black_box(both) //@mark combine-return
}

fn calls() {
    let mut count = 6; //@mark calls-start
    let first = twice(count); //@mark call
    let second = combine(twice(first), count); //@mark nested
    count += second; //@mark after
    println!("calls {count} {first}"); //@mark calls-end
}

struct Address {
    city: String,
    tags: Vec<String>,
}

struct Person {
    name: String,
    age: u32,
    address: Address,
}

fn values() {
    let yes = true;
    let whole = 42;
    let huge: i64 = 9007199254740993;
    let ratio = 1.5;
    let name = "grüße 🙂".to_string();
    let lines = "one\n\"two\"";
    let list = vec![10, 20, 30];
    let ages = BTreeMap::from([("one", 1), ("two", 2)]);
    let address = Address { city: "Paris".to_string(), tags: vec!["x".to_string(), "y".to_string()] };
    let ada = Person { name: "Ada".to_string(), age: 36, address };
    let nothing: Option<&Person> = None;
    println!("values {yes} {whole} {huge} {ratio} {name} {lines} {list:?} {ages:?} {} {} {} {:?} {}", ada.name, ada.age, ada.address.city, ada.address.tags, nothing.is_none()); //@mark values-end
}

struct Level {
    depth: i32,
    next: Option<Box<Level>>,
}

fn big() {
    let million: Vec<i32> = (0..1_000_000).collect();
    let text = "0123456789".repeat(100_000);
    let mut deep = Level { depth: 50, next: None };
    for depth in (1..50).rev() {
        deep = Level { depth, next: Some(Box::new(deep)) };
    }
    println!("big {} {} {} {}", million.len(), text.len(), deep.depth, deep.next.is_some()); //@mark big-end
}

static mut counter: i32 = 10;

fn bump() {
    unsafe { counter += 1 }; //@mark write
    println!("bumped"); //@mark written
    println!("for sure"); //@mark written-after
}

fn watch() {
    println!("watch {}", unsafe { counter }); //@mark watch-start
    bump();
    println!("counter {}", unsafe { counter }); //@mark watch-end
}

fn fail(code: i32) {
    panic!("tour failed: {code}"); //@mark throw
}

fn throw() {
    println!("before");
    fail(7); //@mark throw-call
}

fn catch() {
    if let Err(caught) = std::panic::catch_unwind(|| fail(8)) {
        println!("caught {}", caught.downcast_ref::<String>().unwrap()); //@mark caught
    }
}

fn exit3() {
    println!("last words");
    eprintln!("last complaint");
    std::process::exit(3); //@mark exit
}

fn streams() {
    for i in 1..=3 {
        println!("out {i}");
        eprintln!("err {i}"); //@mark stream
    }
    print!("no newline at the end");
    std::io::stdout().flush().unwrap();
}

fn echo() {
    let mut n = 0;
    for line in std::io::stdin().lock().lines() {
        let text = line.unwrap();
        n += 1;
        println!("{n}: {text}"); //@mark line
    }
    println!("end after {n} lines");
}

fn spin() {
    println!("spinning");
    let mut limit = -1;
    black_box(&mut limit);
    let mut n = 0;
    while limit < 0 || n < limit {
        n = (n + 1) & 0xffffff; //@mark spin
    }
    println!("spun");
}

fn tick(n: i32) {
    println!("tick {n}"); //@mark tick
}

fn sleep() {
    for n in 0..2400 {
        tick(n);
        std::thread::sleep(Duration::from_millis(50));
    }
}

struct Gate {
    state: Mutex<(i32, bool)>, // how many have arrived, and whether it is open
    changed: Condvar,
}

fn hold(gate: &Gate) {
    let mut state = gate.state.lock().unwrap();
    state.0 += 1;
    gate.changed.notify_all();
    while !state.1 {
        state = gate.changed.wait(state).unwrap(); //@mark hold
    }
}

fn threads() {
    let gate = Arc::new(Gate { state: Mutex::new((0, false)), changed: Condvar::new() });
    let mut all = Vec::new();
    for _ in 0..20 {
        let gate = gate.clone();
        all.push(std::thread::spawn(move || hold(&gate)));
    }
    let mut state = gate.state.lock().unwrap();
    while state.0 < 20 {
        state = gate.changed.wait(state).unwrap();
    }
    drop(state);
    std::thread::sleep(Duration::from_millis(100)); // until each waits
    println!("gathered"); //@mark gathered
    gate.state.lock().unwrap().1 = true;
    gate.changed.notify_all();
    for one in all {
        one.join().unwrap();
    }
}

fn dive(depth: i32) -> i32 {
    if depth == 0 {
        return 0; //@mark bottom
    }
    dive(depth - 1) + 1
}

fn recursion() {
    println!("depth {}", dive(500));
}
