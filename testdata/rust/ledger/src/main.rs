// Ledger is a program whose values come from elsewhere, for questions about how.
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

struct Account {
    owner: String,
    balance: i32,
}

static PAYMENTS: AtomicI32 = AtomicI32::new(0);

fn fee(rate: i32, amount: i32) -> i32 {
    let cut = amount * rate / 10; //@mark cut
    return cut.abs(); //@mark returned
}

struct Book {
    accounts: Vec<Account>,
    rates: BTreeMap<&'static str, i32>,
    limits: Vec<i32>,
    fees: i32,
    payments: i32,
}

impl Book {
    fn pay(&mut self, name: &str, amount: i32) {
        let account = self.accounts.iter_mut().find(|a| a.owner == name).unwrap();
        let part = fee(self.rates["high"], amount); //@mark fee
        account.balance -= amount + part; //@mark balance
        self.fees += part; //@mark fees
        self.payments += 1; //@mark payments
        PAYMENTS.fetch_add(1, Ordering::SeqCst);
    }

    fn elsewhere(&mut self, gift: i32) {
        thread::scope(|s| {
            for account in self.accounts.iter_mut() {
                s.spawn(move || {
                    account.balance += gift; //@mark thread
                });
            }
        });
    }
}

// Goes wrong in one round of many.
fn spread(limits: &mut Vec<i32>) {
    for i in 0..limits.len() {
        let mut limit = i as i32 * 2;
        if i == 70 {
            limit = -limit;
        }
        limits[i] = limit; //@mark element
    }
}

fn fib(n: i32) -> i32 {
    if n < 2 {
        return n;
    }
    fib(n - 1) + fib(n - 2)
}

fn main() {
    let mut book = Book { accounts: Vec::new(), rates: BTreeMap::new(), limits: vec![0; 100], fees: 0, payments: 0 };
    book.rates.insert("low", 1);
    book.rates.insert("high", 7); //@mark rates
    for name in ["ann", "bob", "carol"] {
        book.accounts.push(Account { owner: name.to_string(), balance: 100 });
    }
    let mut counter = 0;
    let mut count = |n: i32| {
        counter += n; //@mark captured
    };
    book.elsewhere(5);
    for i in 1..4 {
        book.pay("bob", i * 10); //@mark pay
        count(i);
    }
    spread(&mut book.limits);
    let again = &mut book;
    again.fees = fib(std::env::args().count() as i32 + 5); //@mark alias
    let mut dan = Account { owner: "dan".to_string(), balance: 1 };
    let behind = &raw mut dan.balance;
    unsafe { behind.write(9) }; //@mark reflected
    let bob = &book.accounts[1];
    let left = bob.balance; //@mark left
    let seen = left; //@mark seen
    println!("{} {} {} {} {} {}", seen, counter, book.limits[70], book.fees, book.payments, book.accounts[0].balance + dan.balance - 9); //@mark check
}
