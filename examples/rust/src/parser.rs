use crate::{Order, Payment};

#[derive(Debug, PartialEq)]
pub enum ParseError {
    Empty,
    BadNumber(String),
}

/// Reads "name:price:count,…".
pub fn parse(id: u64, text: &str) -> Result<Order, ParseError> {
    if text.is_empty() {
        return Err(ParseError::Empty);
    }
    let mut order = Order::new(id, Payment::Cash);
    for part in text.split(',') {
        let fields: Vec<&str> = part.split(':').collect();
        let price = number(fields[1])?;
        let count = number(fields[2])?;
        order.add(fields[0], price, count);
    }
    Ok(order)
}

fn number(text: &str) -> Result<u32, ParseError> {
    text.parse().map_err(|_| ParseError::BadNumber(text.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty() {
        assert_eq!(parse(1, "").unwrap_err(), ParseError::Empty);
    }

    #[test]
    fn small() {
        let order = parse(2, "tea:300:1").unwrap();
        assert_eq!(order.items.len(), 1);
    }
}
