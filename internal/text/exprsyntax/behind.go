package exprsyntax

import (
	"slices"
	"strings"
)

// Guard is an expression that decides whether what stands behind it is evaluated.
type Guard struct {
	Text  string
	Wants Outcome
}

// Outcome is what a guard must come to for what stands behind it to be evaluated.
type Outcome int

// The outcomes: true as conditions are, false, or nothing (of a ?? b).
const (
	Holds Outcome = iota
	Fails
	Nothing
)

// How much operators bind that leave one of their operands out.
const (
	bindsChoice = 1 + iota // a ? b : c, b if a else c
	bindsOr
	bindsAnd
	bindsChain // a < b < c
)

// guards are those of one expression in a row, as it is walked over.
type guards struct {
	s      *splitter
	active []active
	from   [bindsChain + 1]int // the tokens at which the operands of each kind begin
	parts  int                 // where the parts of the expression begin
	chosen Guard               // that of the choice which is open
	chain  bool                // there was a comparison in this operand
}

type active struct {
	Guard
	binds, from int
}

func (s *splitter) newGuards() *guards {
	g := &guards{s: s}
	g.begin()
	return g
}

// begin begins the next expression.
func (g *guards) begin() {
	g.close(0)
	for i := range g.from {
		g.from[i] = g.s.at
	}
	g.parts, g.chosen, g.chain = len(g.s.parts), Guard{}, false
}

// close ends the guards of operators that bind as much or more: what stood behind them has them.
func (g *guards) close(binds int) {
	for i, a := range slices.Backward(g.active) {
		if a.binds < binds {
			break
		}
		for at := a.from; at < len(g.s.parts); at++ {
			g.s.parts[at].guard(a.Guard)
		}
		g.active = g.active[:i]
	}
}

// meet is told of a token before it is passed over.
func (g *guards) meet(end int) {
	t := g.s.tokens[g.s.at]
	switch {
	case t.is(",") || t.is(";") || t.is("=>") || t.kind == sign && assigns(t.text):
		g.s.at++
		g.begin()
		g.s.at--
	case t.is("&&") && !g.s.opens(), t.kind == word && t.text == "and" && g.s.slices:
		g.behind(bindsAnd, Holds)
	case t.is("||") && (!g.s.rust || !g.s.opens()), t.kind == word && t.text == "or" && g.s.slices:
		g.behind(bindsOr, Fails)
	case t.is("??"):
		g.behind(bindsOr, Nothing)
	case t.is("?") && !g.s.rust && !g.s.slices:
		g.behind(bindsChoice, Holds)
		g.chosen = g.active[len(g.active)-1].Guard
	case t.is(":") && g.chosen.Text != "":
		g.otherwise()
	case t.kind == word && t.text == "if" && g.s.slices && g.s.at > g.from[bindsChoice]:
		g.chooses(end)
	case t.kind == sign && slices.Contains(comparisons, t.text) && g.s.slices:
		if g.chain {
			g.behind(bindsChain, Holds)
		}
		g.chain = true
	}
}

// opens says that an operand begins at the token: && and || are signs of others there.
func (s *splitter) opens() bool { return s.at == 0 || !s.tokens[s.at-1].value() }

// behind puts what follows behind the operand before it.
func (g *guards) behind(binds int, wants Outcome) {
	if binds < bindsChain {
		g.close(binds + 1)
		g.chain = false
	}
	guard := Guard{Text: unbroken(g.between(g.from[binds], g.s.at)), Wants: wants}
	g.active = append(g.active, active{guard, binds, len(g.s.parts)})
	if binds == bindsChain {
		return
	}
	from := binds
	if wants == Fails || wants == Nothing { // all that stood before has failed
		from++
	}
	for i := from; i < len(g.from); i++ {
		g.from[i] = g.s.at + 1
	}
}

// otherwise ends the first of two choices.
func (g *guards) otherwise() {
	g.close(bindsChoice)
	g.active = append(g.active, active{Guard{g.chosen.Text, Fails}, bindsChoice, len(g.s.parts)})
	for i := range g.from {
		g.from[i] = g.s.at + 1
	}
	g.chosen = Guard{}
}

// chooses takes a choice that is written b if a else c.
func (g *guards) chooses(end int) {
	other, depth := -1, 0
	for i := g.s.at + 1; i < end && other < 0; i++ {
		switch t := g.s.tokens[i]; {
		case t.opens():
			depth++
		case t.closes():
			depth--
		case depth == 0 && t.kind == word && t.text == "else":
			other = i
		}
	}
	if other < 0 { // that of a comprehension
		return
	}
	g.close(bindsOr)
	guard := Guard{Text: unbroken(g.between(g.s.at+1, other)), Wants: Holds}
	chosen := slices.Clone(g.s.parts[g.parts:])
	for i := range chosen {
		chosen[i].guard(guard)
	}
	g.s.parts = g.s.parts[:g.parts]
	g.s.at++
	g.s.walk(other) // the condition is evaluated first
	g.s.parts = append(g.s.parts, chosen...)
	g.active = append(g.active, active{Guard{guard.Text, Fails}, bindsChoice, len(g.s.parts)})
	for i := range g.from {
		g.from[i] = other + 1
	}
	g.parts, g.chain = len(g.s.parts), false
}

// heads are words in front of an expression that are none of it.
var heads = strings.Fields("assert if elif else while return throw raise yield unless until case when switch match")

// between is the text of some tokens.
func (g *guards) between(from, to int) string {
	for from < to && g.s.tokens[from].kind == word && slices.Contains(heads, g.s.tokens[from].text) {
		from++
	}
	if from >= to || to > len(g.s.tokens) {
		return ""
	}
	return g.s.text[g.s.tokens[from].from:g.s.tokens[to-1].to]
}

// guard puts a part behind one more.
func (p *Part) guard(g Guard) {
	if len(p.Behind) == 0 {
		p.Behind = [][]Guard{nil}
	}
	for i := range p.Behind {
		p.Behind[i] = append([]Guard{g}, p.Behind[i]...)
	}
}
