//! What there is to eat.

const DISHES: [(&str, u32); 3] = [("soup", 650), ("stew", 1290), ("tart", 480)];

/// The price of a dish in cents.
pub fn price(dish: &str) -> Option<u32> {
    let found = DISHES.iter().find(|(name, _)| *name == dish);
    found.map(|(_, cents)| *cents) // @mark price
}

pub fn dishes() -> impl Iterator<Item = &'static str> {
    DISHES.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::price;

    #[test]
    fn stew_has_a_price() {
        assert_eq!(price("stew"), Some(1290));
    }
}
