//! Lists the dishes.

fn main() {
    for dish in bistro_menu::dishes() {
        println!("{dish}");
    }
}
