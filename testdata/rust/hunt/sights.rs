// Sights is a program whose variables are in sight before they have a value.
use std::collections::HashMap;
use std::sync::Mutex;

#[derive(Debug)]
enum Shape {
    Circle(u32),
    Rect { w: u32, h: u32 },
}

fn area(shapes: &[Shape]) -> u32 {
    let mut total = 0;
    for s in shapes {
        let part = match s {
            Shape::Circle(r) => r * r * 3,
            Shape::Rect { w, h } => w * h,
        };
        if let Some(extra) = part.checked_sub(10) {
            total += extra;
        }
        let label = format!("{s:?}");
        let later;
        if part > 5 {
            later = label.len() as u32;
        } else {
            later = 1;
        }
        total += later;
    }
    total
}

fn add(xs: &[u32]) -> u32 {
    let mut sum = 0;
    for x in xs { sum += x; }
    for x in xs {
        let v = x * 2;
        sum += v;
    }
    sum //@mark sighted
}

fn main() {
    let lock = Mutex::new(());
    let seen: HashMap<u64, ()> = HashMap::from([(1, ())]);
    let s = add(&[1, 2, 3]) + area(&[Shape::Circle(2), Shape::Rect { w: 2, h: 3 }]);
    println!("{s} {}", lock.is_poisoned()); //@mark locked
    let _ = seen;
}
