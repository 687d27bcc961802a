package responses

// omissionRoom is about what one entry of omitted takes, in bytes.
const omissionRoom = 120

// Page says which part of a whole a list holds.
type Page struct {
	What  string               // what the rows are, in the plural
	Start int                  // index of the first row held
	Total int                  // rows of the whole; 0 when those held are all
	Open  bool                 // there are more rows, but nobody has counted them
	More  func(start int) Call // the call that goes on from there
}

// omission names the rows after those held, nil when there are none.
func (p Page) omission(held int) []Omission {
	o := Omission{What: p.What, Shown: held, Total: p.Total}
	switch {
	case p.Open:
		o.Total = 0
	case p.Start+held >= p.Total:
		return nil
	}
	if p.More != nil {
		call := p.More(p.Start + held)
		o.Get = &call
	}
	return []Omission{o}
}

// List is a page of rows, written as a plain array.
type List[T any] struct {
	Page
	Rows []T
}

// NewList holds rows that are all there is, unless page says otherwise.
func NewList[T any](rows []T, page Page) *List[T] {
	page.Total = max(page.Total, page.Start+len(rows))
	return &List[T]{Page: page, Rows: rows}
}

// IsZero says that there is no row, so that views leave the list out.
func (l *List[T]) IsZero() bool { return l == nil || len(l.Rows) == 0 }

// MarshalJSON writes the rows; none is an empty array.
func (l *List[T]) MarshalJSON() ([]byte, error) {
	if len(l.Rows) == 0 {
		return []byte("[]"), nil
	}
	return encode(l.Rows)
}

func (l *List[T]) omissions() []Omission {
	if l == nil {
		return nil
	}
	return l.omission(len(l.Rows))
}

// trim cuts rows from the end, down to keep.
func (l *List[T]) trim(keep int) trim {
	return func(over int) bool {
		if l == nil || len(l.Rows) <= keep {
			return false
		}
		l.Rows = l.Rows[:cutRows(l.Rows, over, keep)]
		return true
	}
}

// cutRows is how many rows may stay when about over bytes must go.
func cutRows[T any](rows []T, over, keep int) int {
	n := len(rows)
	for freed := 0; n > keep && freed < over; n-- {
		freed += size(rows[n-1]) + 1
	}
	return n
}
