package delve

import "testing"

func TestNumbers(t *testing.T) {
	t.Parallel()
	long := "17970000000000000000000000000000000000"
	for _, tt := range []struct{ value, typ, want string }{
		{"10 = 0xa", "uint8", "10"},
		{"-11 = 0x0", "uint8", "245"},
		{"-10 = 0x0", "uint64", "18446744073709551606"},
		{"9223372036854775808", "int64", "-9223372036854775808"},
		{"-128", "int8", "-128"},
		{"128", "int8", "-128"},
		{"824634 = 0xc953a", "uintptr", "0xc953a"},
		{"1180591620717411303424", "uint64", "1180591620717411303424"},
		{"18446744073709551615 = 0xffffffffffffffff", "uint64", "18446744073709551615"},
		{"0.1", "float32", "0.1"},
		{long, "float64", "1.797e+37"},
		{"10000000000", "float64", "1e+10"},
		{"21.5", "float64", "21.5"},
		{"NaN", "float64", "NaN"},
		{"+Inf", "float64", "+Inf"},
		{"233", "int32", "233 'é'"},
		{"10", "int32", "10"},
		{"-5", "int32", "-5"},
		{"(1.5 + -2i)", "complex64", "(1.5-2i)"},
		{"(0 + 0i)", "complex128", "(0+0i), or with a part that is NaN or infinite: the debugger cannot tell"},
		{"Red (1)", "main.Colour", "Red (1)"},
	} {
		if got := number(tt.value, tt.typ); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.typ, tt.value, got, tt.want)
		}
	}
	if got := tidyValue(`{big: ` + long + `, text: "` + long + `", n: 18446744073709551615}`); got != `{big: 1.797e+37, text: "`+long+`", n: 18446744073709551615}` {
		t.Error(got)
	}
}
