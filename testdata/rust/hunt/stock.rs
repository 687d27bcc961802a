// A map whose hasher has another seed in each run.
use std::collections::HashMap;

fn main() {
    let mut stock: HashMap<String, i64> = HashMap::new();
    for i in 0..400 {
        stock.insert(i.to_string(), i);
    }
    stock.insert("c".to_string(), 2);
    *stock.get_mut("c").unwrap() -= 7;
    println!("{}", stock["c"]); //@mark stocked
}
