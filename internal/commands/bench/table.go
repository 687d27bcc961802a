package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// unit says what a row counts.
type unit string

const (
	inMS     unit = "ms"
	inMicros unit = "µs"
	inMB     unit = "MB"
	inBytes  unit = "bytes"

	inASecond unit = "a second"
)

func (u unit) format(v float64) string {
	if u == inBytes || u == inMicros || u == inASecond {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.1f", v)
}

// row is one measured thing. Its target is an upper bound of the median, or of
// the ratio of the medians of ours and bare; 0 when there is none. About lets
// the median exceed the target by a tenth. Least is a lower bound in its place.
type row struct {
	what   string
	unit   unit
	ours   samples
	bare   samples
	target float64
	ratio  float64
	about  bool
	least  float64
	gate   float64 // that the best run must not be over; 0: none
}

type table struct{ rows []row }

func (t *table) add(r row) { t.rows = append(t.rows, r) }

// String is a row by itself.
func (r row) String() string {
	if len(r.ours) == 0 {
		return strings.TrimSpace(r.what + "  " + r.verdict())
	}
	text := fmt.Sprintf("%s: %s %s %s", r.what, r.unit.format(r.ours.median()), r.unit, r.spreadOf(r.ours))
	if len(r.bare) > 0 {
		text += fmt.Sprintf("  (bare %s, ratio %.2f)", r.unit.format(r.bare.median()), r.ours.median()/r.bare.median())
	}
	return strings.TrimSpace(text)
}

func (t *table) print(out io.Writer, runs int) error {
	_, _ = fmt.Fprintf(out, "\nMedians of at least %d runs, (least–most). Bare is a DAP client on the same debugger, in the same run.\n\n", runs)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "what\tmedian\tspread\tbare\tspread\tratio\ttarget\treached")
	for _, r := range t.rows {
		if r.unit == "" {
			continue
		}
		bare, bareSpread, ratio := "", "", ""
		if len(r.bare) > 0 {
			bare, bareSpread = r.unit.format(r.bare.median()), r.spreadOf(r.bare)
			ratio = fmt.Sprintf("%.2f", r.ours.median()/r.bare.median())
		}
		_, _ = fmt.Fprintf(w, "%s\t%s %s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			r.what, r.unit.format(r.ours.median()), r.unit, r.spreadOf(r.ours), bare, bareSpread, ratio, r.wantedText(), r.verdict())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range t.rows {
		if r.unit == "" { // it says why there is nothing
			_, _ = fmt.Fprintln(out, r.what)
		}
	}
	return nil
}

func (r row) spreadOf(s samples) string {
	least, most := s.spread()
	if least == most {
		return ""
	}
	return fmt.Sprintf("(%s–%s)", r.unit.format(least), r.unit.format(most))
}

func (r row) wantedText() string {
	switch {
	case r.ratio > 0:
		return fmt.Sprintf("≤ %.2f × bare", r.ratio)
	case r.about:
		return fmt.Sprintf("about %.0f %s", r.target, r.unit)
	case r.least > 0:
		return fmt.Sprintf("≥ %.0f %s", r.least, r.unit)
	case r.target > 0:
		return fmt.Sprintf("≤ %.0f %s", r.target, r.unit)
	}
	return ""
}

// verdict says whether the target is reached.
func (r row) verdict() string {
	switch {
	case r.ratio == 0 && r.target == 0 && r.least == 0:
		return ""
	case len(r.ours) == 0:
		return "not measured here"
	case r.least > 0 && r.ours.median() >= r.least,
		r.ratio > 0 && r.ours.median() <= r.ratio*r.bare.median(),
		r.ratio == 0 && r.least == 0 && r.ours.median() <= r.target,
		r.about && r.ours.median() <= 1.1*r.target:
		return "yes"
	}
	return "no"
}
