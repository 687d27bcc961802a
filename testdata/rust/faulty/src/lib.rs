//! What the tests fail at.
pub fn add(a: i32, b: i32) -> i32 { a + b }

pub struct Basket { pub items: Vec<(String, i32)> }

impl Basket {
    pub fn total(&self) -> i32 {
        self.items.iter().map(|(_, price)| doubled(*price)).sum()
    }
}

fn doubled(price: i32) -> i32 { price * 2 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(2, 3), 6, "two and three"); //@mark adds
    }

    #[test]
    fn totals() {
        let basket = Basket { items: vec![("tea".into(), 3), ("milk".into(), 1)] };
        let total = basket.total();
        assert!(
            total == 4 && !basket.items.is_empty(),
            "the total of {} items",
            basket.items.len()
        ); //@mark totals
    }

    #[test]
    #[should_panic]
    fn refuses() { //@mark refuses
        add(1, 2);
    }

    #[test]
    fn returns() -> Result<(), String> {
        let sum = add(1, 1);
        if sum != 3 { return Err(format!("sum is {sum}")); }
        Ok(())
    }

    #[test]
    fn passes() { assert_eq!(add(1, 1), 2); }
}
