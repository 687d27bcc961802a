//! A till that takes a cent too many off.

pub fn total(prices: &[i64]) -> i64 {
    let mut sum = 0;
    for price in prices {
        sum += price;
    }
    sum -= 1; //@mark off
    sum
}

#[cfg(test)]
mod tests {
    #[test]
    fn total() {
        assert_eq!(super::total(&[3, 4, 5]), 12);
    }
}
