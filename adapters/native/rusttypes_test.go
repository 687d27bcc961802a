package native

import "testing"

// Types and numbers are written as Rust has them, whatever LLDB makes of them.
func TestRustType(t *testing.T) {
	for from, want := range map[string]string{
		"unsigned char": "u8", "char": "i8", "char32_t": "char", "double": "f64", "void": "()",
		"core::ptr::non_null::NonNull<unsigned char>":     "NonNull<u8>",
		"core::ops::range::RangeInclusive<unsigned char>": "RangeInclusive<u8>",
		"(char, unsigned char)":                           "(char, u8)",
		"core::pin::Pin<app::run::{async_fn_env#0} *>":    "Pin<&app::run::{async_fn_env#0}>",
		"int[]":            "[i32; 0]",
		"unsigned int [3]": "[u32; 3]",
		"alloc::vec::Vec<alloc::string::String, alloc::alloc::Global> *": "&Vec<String>",
	} {
		if got := rustType(from); got != want {
			t.Errorf("%s is %s, want %s", from, got, want)
		}
	}
}

func TestRustReal(t *testing.T) {
	for from, want := range map[string]string{
		"2": "2.0", "0.100000001": "0.1", "+Inf": "inf", "-Inf": "-inf", "NaN": "NaN", "1.0E+21": "1e21", "-0": "-0.0", "0": "0.0",
		"0.00001": "1e-5", "0.0001": "0.0001", "1234567.5": "1234567.5", "<not initialized>": "<not initialized>",
	} {
		if got := rustReal(from, 32); got != want {
			t.Errorf("%s is %s, want %s", from, got, want)
		}
	}
	if got := rustReal("0.33333333333333331", 64); got != "0.3333333333333333" {
		t.Error(got)
	}
}

func TestSharedType(t *testing.T) {
	for _, c := range [][3]string{
		{"Arc<u8>", `"text" (strong=1)`, "Arc<str>"}, {"Arc<u8>", "7 (strong=1)", "Arc<u8>"}, {"Rc<i32>", "size=2 [1, 2] (strong=1)", "Rc<[i32]>"},
		{"Rc<Vec<i32>>", "size=2 [1, 2] (strong=1)", "Rc<Vec<i32>>"}, {"Box<u8>", `"x"`, "Box<u8>"},
	} {
		if got := sharedType(c[0], c[1]); got != c[2] {
			t.Errorf("%s with %s is %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
