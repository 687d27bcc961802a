// What is wrong was written once, after very many writes that were right.
struct Account {
    total: i64,
}

fn pay(account: &mut Account, cents: i64) {
    account.total = cents; //@mark oftenpay
}

fn settle(account: &mut Account, rate: i64) {
    account.total = rate; //@mark oftensettle
}

fn main() {
    let mut accounts = vec![Account { total: 0 }, Account { total: 0 }, Account { total: 0 }];
    let mut i = 0;
    while i < 300_000 {
        pay(&mut accounts[i % 3], i as i64);
        i += 1;
    }
    settle(&mut accounts[1], 3);
    i = 0;
    while i < 300 {
        pay(&mut accounts[i % 2 * 2], i as i64);
        i += 1;
    }
    assert_eq!(accounts[1].total, 299_998); //@mark oftenwrong
}
