package handlers

import (
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/responses"
)

// leftover is what was left running, in the reply's words.
func (d *diagnosisReply) leftover() []responses.Left {
	var list []responses.Left
	for _, t := range d.r.Left.Things {
		list = append(list, responses.Left{
			Kind: t.Kind, Name: responses.Shorten(d.h.Mask.Command(t.Name), longestPart), MadeAt: d.leftAt(t.Made), MadeIn: t.Made.Function, Test: t.Test,
			WaitsFor: t.WaitsFor, At: d.leftAt(t.At), Function: t.At.Function, Count: t.Count,
		})
	}
	return list
}

func (d *diagnosisReply) leftAt(p adapters.LeftPlace) string {
	return d.at(diagnose.Place{File: p.File, Line: p.Line, Function: p.Function})
}

// leftCounts is "2 goroutines and 1 server".
func (d *diagnosisReply) leftCounts() string {
	kinds, counts := d.r.Left.Kinds()
	var said []string
	for _, kind := range kinds {
		said = append(said, responses.Counted(counts[kind], kind))
	}
	if len(said) > 1 {
		said = append(said[:len(said)-2], said[len(said)-2]+" and "+said[len(said)-1])
	}
	return strings.Join(said, ", ")
}
