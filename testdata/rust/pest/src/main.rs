// See testdata/go/pest: surrounds itself with processes, ignores signals, stays.
use std::process::Command;
use std::time::Duration;

static SERIAL: i32 = 0; // edited to have it built anew

extern "C" {
    fn signal(number: i32, handler: usize) -> usize;
}

fn main() {
    for number in [15, 2, 1] {
        unsafe { signal(number, 1) }; // SIG_IGN
    }
    let args: Vec<String> = std::env::args().collect();
    let _ = Command::new("sh").arg("pest.sh").args(&args[2..]).status();
    println!("ready {}", SERIAL);
    let mut ticks = 0;
    while args[1] != "exit" || ticks < 3 {
        ticks += 1; //@mark stop
        std::thread::sleep(Duration::from_millis(10));
    }
}
