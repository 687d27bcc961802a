use seats::row::Row;

#[test]
fn counts_all_rows() {
    assert_eq!(seats::free(&[Row::parse('A', "x."), Row::parse('B', "...")]), 4);
}
