// Namesakes is a program in which a variant of an enum and a type without any size are
// called alike: LLDB takes the one for the other, and divides by its size.
mod runtime {
    pub mod scheduler {
        use std::sync::Arc;
        pub mod current {
            pub struct Handle { pub n: u32 }
            pub struct Current { pub a: [u64; 5] }
        }
        pub mod multi {
            pub mod handle {
                pub struct Handle { pub n: u64 }
            }
            pub struct Multi;
        }
        pub enum Handle {
            Current(Arc<current::Handle>),
            Multi(Arc<multi::handle::Handle>),
        }
    }
    pub enum Scheduler {
        Current(scheduler::current::Current),
        Multi(scheduler::multi::Multi),
    }
    pub struct Handle { pub inner: scheduler::Handle }
    pub struct Runtime { pub scheduler: Scheduler, pub handle: Handle }
}

use runtime::*;
use std::sync::Arc;

fn make(n: u64) -> Runtime {
    if n > 5 {
        let a = scheduler::current::Current { a: [n; 5] };
        return Runtime { scheduler: Scheduler::Current(a), handle: Handle { inner: scheduler::Handle::Current(Arc::new(scheduler::current::Handle { n: 1 })) } };
    }
    Runtime { scheduler: Scheduler::Multi(scheduler::multi::Multi), handle: Handle { inner: scheduler::Handle::Multi(Arc::new(scheduler::multi::handle::Handle { n })) } }
}

fn main() {
    let rt = make(std::env::args().count() as u64);
    let n = match &rt.handle.inner { //@mark namesakes
        scheduler::Handle::Multi(m) => m.n,
        scheduler::Handle::Current(c) => c.n as u64,
    };
    let first = match &rt.scheduler {
        Scheduler::Multi(_) => 1,
        Scheduler::Current(c) => c.a[0],
    };
    println!("{n} {first}");
}
