//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/go-delve/delve/pkg/proc"

	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/adapters/delve/wire"
)

// functions finds functions with a name like the wished one: the same but for
// case, the same last part, containing it, or a few letters off. The user's
// come before those of libraries.
func functions(t *target, args wire.FunctionsArgs) (wire.FunctionsBody, error) {
	type candidate struct {
		name  string
		score int
	}
	want := strings.ToLower(strings.TrimSpace(args.Name))
	var found []candidate
	bin := t.BinInfo()
	for i := range bin.Functions {
		fn := &bin.Functions[i]
		score := unlikeness(want, strings.ToLower(fn.Name), strings.ToLower(fn.BaseName()))
		if score == unlike {
			continue
		}
		if library(bin, fn) {
			score += 10
		}
		found = append(found, candidate{fn.Name, score})
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	found = slices.CompactFunc(found, func(a, b candidate) bool { return a.name == b.name })
	found = found[:min(len(found), max(args.Count, 1))]
	names := make([]string, len(found))
	for i, c := range found {
		names[i] = c.name
	}
	return wire.FunctionsBody{Functions: names}, nil
}

// unlike is the score of a name that is not offered.
const unlike = 100

// unlikeness scores a full and a last name against the wished one, all in lower case.
func unlikeness(want, full, base string) int {
	last := want[strings.LastIndexByte(want, '.')+1:]
	switch {
	case full == want:
		return 0
	case strings.HasSuffix(full, "."+want) || strings.HasSuffix(full, "/"+want):
		return 1
	case base == last:
		return 2
	}
	if off := levenshtein.ComputeDistance(last, base); off <= len(last)/3+1 && off < len(last) {
		return 2 + off
	}
	if len(last) >= 3 && strings.Contains(base, last) {
		return 6
	}
	return unlike
}

func library(bin *proc.BinaryInfo, fn *proc.Function) bool {
	file, _ := bin.EntryLineForFunc(fn)
	return gosrc.Library(fn.Name, file)
}
