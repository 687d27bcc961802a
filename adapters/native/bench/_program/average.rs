// The program that the benchmark debugs: a loop to step through, then a panic.
fn average(marks: &[i32], rounds: usize) -> i32 {
    let mut sum = 0;
    for i in 0..rounds {
        let mark = marks[i % marks.len()];
        sum += mark;
    }
    sum / marks[marks.len()]
}

fn main() {
    println!("average: {}", average(&[3, 1, 4, 1, 5], 200));
}
