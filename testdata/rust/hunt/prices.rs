// Prices are looked up once and kept. The second country's price is the first one's.
struct Kept {
    key: u32,
    price: i32,
}

struct Desk {
    kept: Vec<Kept>,
    looked: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Country {
    Home,
    Abroad,
}

impl Desk {
    fn look(&mut self, article: u32, country: Country) -> i32 {
        self.looked += 1;
        let base = 100 + article as i32 * 3;
        if country == Country::Abroad {
            return base + 40;
        }
        base
    }

    fn price(&mut self, article: u32, country: Country) -> i32 {
        for entry in &self.kept {
            if entry.key == article {
                return entry.price.abs(); //@mark kept
            }
        }
        let price = self.look(article, country);
        self.kept.push(Kept { key: article, price }); //@mark keep
        price
    }
}

struct Line {
    article: u32,
    count: i32,
    price: i32,
}

fn order(desk: &mut Desk, articles: &[(u32, i32)], country: Country) -> Vec<Line> {
    let mut lines = Vec::with_capacity(16);
    for &(article, count) in articles {
        let price = desk.price(article, country); //@mark asked
        lines.push(Line { article, count, price }); //@mark line
    }
    lines
}

fn total(lines: &[Line]) -> i32 {
    let mut sum = 0;
    for line in lines {
        sum += line.count * line.price;
    }
    sum
}

fn main() {
    let mut desk = Desk { kept: Vec::with_capacity(16), looked: 0 };
    let home = order(&mut desk, &[(1, 2), (4, 1), (7, 3)], Country::Home);
    let abroad = order(&mut desk, &[(2, 1), (4, 5)], Country::Abroad);
    let wrong = &abroad[1];
    let due = total(&abroad);
    println!("{} {} {} of {} {}", wrong.article, wrong.price, due, total(&home), desk.looked); //@mark order
}
