package delve

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/text/pattern"
)

// unsigned matches how Delve shows unsigned integers: in decimal and in
// hexadecimal, the latter wrong for what it has not wrapped.
var unsigned = pattern.New(`^(-?\d+) = (0x[0-9a-f]+)$`)

// digits matches a number of more digits than an integer of Go can have: a
// floating-point one, which Delve never writes with an exponent.
var digits = pattern.New(`-?\d{22,}(?:\.\d+)?|-?0\.\d{22,}`)

// integerBits are the sizes of the integer types, negative for signed ones.
var integerBits = map[string]int{
	"int": -strconv.IntSize, "int8": -8, "int16": -16, "int32": -32, "int64": -64,
	"uint": strconv.IntSize, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "uintptr": strconv.IntSize,
}

// number shows a number as Go prints it: wrapped to its type, floating-point
// ones with an exponent where they are very large or small, runes with their letter.
func number(value, typ string) string {
	if m := unsigned.FindStringSubmatch(value); m != nil {
		value = m[1]
		if typ == "uintptr" {
			return m[2]
		}
	}
	bits, integer := integerBits[typ]
	switch {
	case integer:
		value = wrap(value, bits)
		if n, err := strconv.ParseInt(value, 10, 32); typ == "int32" && err == nil && n > ' ' && unicode.IsPrint(rune(n)) {
			return fmt.Sprintf("%s %q", value, rune(n))
		}
	case typ == "complex64" || typ == "complex128":
		return complexNumber(value)
	case typ == "float32" || typ == "float64":
		if f, err := strconv.ParseFloat(value, 64); err == nil {
			size, _ := strconv.Atoi(strings.TrimPrefix(typ, "float"))
			return shortest(f, size)
		}
	}
	return value
}

// wrap does what the processor does with an integer that its type cannot hold;
// a negation or complement that Delve has computed may be one bit too long.
func wrap(value string, bits int) string {
	n, ok := new(big.Int).SetString(value, 10)
	if !ok || n.BitLen() > 64 {
		return value // no integer, or a constant that no type holds
	}
	size := uint(max(bits, -bits))
	n.And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), size), big.NewInt(1)))
	if bits < 0 && n.Bit(int(size)-1) == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), size))
	}
	return n.String()
}

// shortest is how package fmt prints a floating-point number with %v.
func shortest(f float64, bits int) string {
	if bits == 32 {
		return fmt.Sprint(float32(f))
	}
	return fmt.Sprint(f)
}

// tidyDigits writes the floating-point numbers within a value that are long
// only because they have no exponent.
func tidyDigits(text string) string {
	return digits.ReplaceAllStringFunc(text, func(number string) string {
		f, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return number
		}
		return shortest(f, 64)
	})
}

// complexParts matches how Delve shows a complex number.
var complexParts = pattern.New(`^\((\S+) \+ (\S+)i\)$`)

// complexNumber writes a complex number as Go does. Delve shows one of which a
// part is NaN or infinite as zero.
func complexNumber(value string) string {
	m := complexParts.FindStringSubmatch(value)
	switch {
	case m == nil:
		return value
	case m[1] == "0" && m[2] == "0":
		return "(0+0i), or with a part that is NaN or infinite: the debugger cannot tell"
	}
	re, reErr := strconv.ParseFloat(m[1], 64)
	im, imErr := strconv.ParseFloat(m[2], 64)
	if reErr != nil || imErr != nil {
		return value
	}
	return fmt.Sprint(complex(re, im))
}

var (
	logPrefix = pattern.New(`^> \[Go \d+\]: `)
	logHex    = pattern.New(`\b(\d+) = (0x[0-9a-f]+)\b`)
)

// Sift writes what a logpoint printed as the program would.
func (*dialect) Sift(event godap.OutputEventBody) (kept godap.OutputEventBody, keep bool) {
	if event.Line > 0 && logPrefix.MatchString(event.Output) {
		event.Output = logHex.ReplaceAllStringFunc(logPrefix.ReplaceAllString(event.Output, ""), func(both string) string {
			decimal, hex, _ := strings.Cut(both, " = ")
			d, dErr := strconv.ParseUint(decimal, 10, 64)
			h, hErr := strconv.ParseUint(hex, 0, 64)
			if dErr != nil || hErr != nil || d != h {
				return both // the user's own words
			}
			return decimal
		})
	}
	return event, true
}
