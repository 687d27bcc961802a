//! Seats of a cinema.

pub mod row;

/// The number of free seats in all rows.
pub fn free(rows: &[row::Row]) -> usize {
    rows.iter().map(row::Row::free).sum()
}
