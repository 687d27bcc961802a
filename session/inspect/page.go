package inspect

import (
	"fmt"
	"slices"
	"strings"

	godap "github.com/google/go-dap"
)

// maxFiltered is how many elements are looked through for a filter.
const maxFiltered = 10_000

// Bounds is the part of a list of total items that the page asks for, usual
// items where it names no number.
func (p Page) Bounds(total, usual int) (start, count int) {
	start, count = max(p.Start, 0), p.Count
	if count <= 0 {
		count = usual
	}
	start = min(start, total)
	return start, min(count, total-start)
}

// Elements is Bounds for what has to be fetched of a list: with a filter its
// beginning, which is looked through.
func (p Page) Elements(total, usual int) (start, count int) {
	if p.Filter != "" {
		return 0, min(total, maxFiltered)
	}
	return p.Bounds(total, usual)
}

// Arguments asks for a page of the elements of a value, or for all its fields
// when it has no elements: those are few.
func (p Page) Arguments(reference, elements, usual int) godap.VariablesArguments {
	args := godap.VariablesArguments{VariablesReference: reference}
	if elements > 0 {
		args.Filter = "indexed"
		args.Start, args.Count = p.Elements(elements, usual)
	}
	return args
}

// Of takes the page out of the children of a value when the adapter sent more
// than was asked for; total counts all of them, those that pass the filter
// where there is one. The children are in the dialect's order already.
func (p Page) Of(list []godap.Variable, elements, usual int) (page []godap.Variable, total int) {
	if elements > 0 && p.Filter == "" {
		start, count := p.Bounds(elements, usual)
		if len(list) > count || beginsAt(list, 0) && start > 0 { // it began at the first all the same
			list = list[min(start, len(list)):]
		}
		return list[:min(count, len(list))], elements
	}
	list = Filter(list, p.Filter)
	start, count := p.Bounds(len(list), usual)
	return list[start : start+count], len(list)
}

// Filter keeps the variables with a text in their names, in whatever case.
func Filter(list []godap.Variable, text string) []godap.Variable {
	if text == "" {
		return list
	}
	want := strings.ToLower(text)
	return slices.DeleteFunc(slices.Clone(list), func(x godap.Variable) bool {
		return !strings.Contains(strings.ToLower(x.Name), want)
	})
}

// Renumber names the elements of a slice of a value as in the whole.
func Renumber(list []godap.Variable, start int) {
	for i := range list {
		var n int
		if _, err := fmt.Sscanf(list[i].Name, "[%d]", &n); err == nil && n == i {
			list[i].Name = fmt.Sprintf("[%d]", start+i)
		}
	}
}

// beginsAt says that a list begins with the element of that number.
func beginsAt(list []godap.Variable, n int) bool {
	return len(list) > 0 && list[0].Name == fmt.Sprintf("[%d]", n)
}
