use shop::parser::parse;

#[test]
fn whole_order() {
    let order = parse(3, "tea:300:2,cup:500:4").unwrap();
    assert_eq!(order.total(), 2400); //@mark test-api
}
