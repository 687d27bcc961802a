"""Python that runs inside gdb and LLDB: what they show of programs in C, C++ and Rust, and what a recorder notes of them.
The debugger package is all that knows a debugger's interface; cpp and rust read values; record notes runs."""
