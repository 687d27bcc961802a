/// Ten percent off from three pieces on.
pub fn discount(cost: u32, count: u32) -> u32 {
    if count >= 3 {
        return cost * 9 / 10;
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small() {
        assert_eq!(discount(100, 1), 100);
    }

    #[test]
    fn large() {
        let cost = discount(100, 3);
        assert_eq!(cost, 80, "three pieces");
    }
}
