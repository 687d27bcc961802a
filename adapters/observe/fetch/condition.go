package fetch

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cilium/ebpf/asm"
)

// comparisons are the operators, the longer first.
var comparisons = []string{"==", "!=", "<=", ">=", "<", ">"}

// splitComparison cuts a comparison at its operator.
func splitComparison(text string) (left, operator, right string) {
	for at := range text {
		if strings.HasPrefix(text[at:], "->") || at > 0 && strings.HasPrefix(text[at-1:], "->") {
			continue
		}
		for _, o := range comparisons {
			if strings.HasPrefix(text[at:], o) {
				return text[:at], o, text[at+len(o):]
			}
		}
	}
	return "", "", ""
}

// condition compiles comparisons joined by &&. Where one does not hold, or cannot be read,
// the program ends.
func (c *compiler) condition(text string, m Maps) error {
	fail := c.label("doubt")
	begun := len(c.code)
	for part := range strings.SplitSeq(text, "&&") {
		left, operator, right := splitComparison(part)
		if operator == "" {
			return fmt.Errorf("condition %q: a recorder in the kernel compares values with ==, !=, <, <=, > or >=, joined by &&", text)
		}
		if err := c.compare(left, operator, right, fail); err != nil {
			return fmt.Errorf("condition %q: %w", text, err)
		}
	}
	if !c.jumpsTo(fail, begun) {
		return nil
	}
	holds := c.label("holds")
	c.emit(asm.Ja.Label(holds), asm.Mov.Reg(asm.R6, asm.R6).WithSymbol(fail))
	c.count(m, CountUnread)
	c.emit(asm.Ja.Label("end"), asm.Mov.Reg(asm.R6, asm.R6).WithSymbol(holds))
	return nil
}

// untrue are the jumps where a comparison does not hold, of signed and unsigned words.
var untrue = map[string][2]asm.JumpOp{
	"==": {asm.JNE, asm.JNE}, "!=": {asm.JEq, asm.JEq}, "<": {asm.JSGE, asm.JGE}, ">": {asm.JSLE, asm.JLE},
	"<=": {asm.JSGT, asm.JGT}, ">=": {asm.JSLT, asm.JLT},
}

func (c *compiler) compare(left, operator, right, fail string) error {
	signed, err := c.operand(left, fail)
	if err != nil {
		return err
	}
	c.emit(asm.StoreMem(asm.RFP, operand, asm.R8, asm.DWord))
	other, err := c.operand(right, fail)
	if err != nil {
		return err
	}
	jumps := untrue[operator]
	jump := jumps[0]
	if !signed || !other {
		jump = jumps[1]
	}
	c.emit(asm.LoadMem(asm.R1, asm.RFP, operand, asm.DWord), jump.Reg(asm.R1, asm.R8, "end"))
	return nil
}

// literals are the words that stand for a number.
var literals = map[string]int64{"true": 1, "false": 0, "nil": 0, "NULL": 0, "nullptr": 0}

// operand leaves a value in R8, and says whether it may be negative.
func (c *compiler) operand(text, fail string) (signed bool, err error) {
	text = strings.TrimSpace(text)
	n, known := literals[text]
	if !known {
		if n, err = strconv.ParseInt(text, 0, 64); err == nil {
			known = true
		}
	}
	if char, quoted := strings.CutPrefix(text, "'"); quoted && len(char) == 2 && char[1] == '\'' {
		n, known = int64(char[0]), true
	}
	if known {
		c.emit(asm.LoadImm(asm.R8, n, asm.DWord))
		return true, nil
	}
	p, err := parsePath(text)
	if err != nil {
		return false, err
	}
	t, err := c.find(p)
	if err != nil {
		return false, err
	}
	s := shapeOf(t.typ, t.moves, 1)
	if s.leaf == nil {
		return false, fmt.Errorf("%s is no number, but a %s", text, typeName(t.typ))
	}
	switch s.leaf.kind {
	case integer, character, unsigned, boolean, pointer, count:
	default:
		return false, fmt.Errorf("%s is a %s, and only whole numbers, truth values and pointers are compared in the kernel", text, typeName(t.typ))
	}
	signed = s.leaf.kind != unsigned && s.leaf.kind != pointer
	return signed, c.word(c.rootOf(t), s.leaf.moves, s.leaf.size, s.leaf.kind == integer || s.leaf.kind == character, fail)
}
