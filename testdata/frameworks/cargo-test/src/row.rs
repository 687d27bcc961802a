/// A row of seats: "x" is taken, "." is free.
pub struct Row {
    pub name: char,
    seats: Vec<bool>,
}

impl Row {
    pub fn parse(name: char, text: &str) -> Row {
        let seats = text.chars().map(|c| c == 'x').collect();
        Row { name, seats }
    }

    pub fn free(&self) -> usize {
        let taken = self.seats.iter().filter(|&&taken| taken).count();
        self.seats.len() - taken // @mark free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_free_seats() {
        assert_eq!(Row::parse('A', "x.xx.").free(), 2);
    }
}
