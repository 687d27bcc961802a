// Meters reads amounts from text and adds them up. The last one has the wrong sign.
struct Reading {
    text: String,
    value: i32,
}

struct Scanner {
    sign: i32,
    errors: u32,
}

impl Scanner {
    fn number(&mut self, word: &str) -> i32 {
        let mut value = 0;
        for c in word.chars() {
            if c == '-' {
                self.sign = -1; //@mark negative
            } else if c == '+' {
                self.sign = 1;
            } else if let Some(digit) = c.to_digit(10) {
                value = value * 10 + digit as i32;
            } else {
                self.errors += 1;
            }
        }
        let signed = self.sign * value; //@mark signed
        signed
    }

    fn read(&mut self, line: &str) -> Vec<Reading> {
        let mut found = Vec::with_capacity(32);
        for word in line.split(' ') {
            let value = self.number(word); //@mark number
            found.push(Reading { text: word.to_string(), value });
        }
        found
    }
}

fn total(all: &[Reading]) -> i32 {
    let mut sum = 0;
    for r in all {
        sum += r.value;
    }
    sum
}

fn main() {
    let mut scanner = Scanner { sign: 1, errors: 0 };
    let all = scanner.read("12 7 +30 44 -9 113");
    let last = &all[all.len() - 1];
    let sum = total(&all);
    println!("{} is {} of {}, {} errors", last.text, last.value, sum, scanner.errors); //@mark meters
}
