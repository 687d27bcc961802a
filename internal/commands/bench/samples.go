package bench

import (
	"slices"
	"time"
)

// samples are the measured values of one thing, in the unit of its row.
type samples []float64

func (s *samples) add(v float64) { *s = append(*s, v) }

// since adds the time that has passed, in milliseconds.
func (s *samples) since(begun time.Time) {
	s.add(float64(time.Since(begun)) / float64(time.Millisecond))
}

// dropFirst forgets the run that warmed up.
func (s *samples) dropFirst() {
	if len(*s) > 0 {
		*s = (*s)[1:]
	}
}

func (s samples) median() float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// percentile is the value that p of a hundred do not exceed.
func (s samples) percentile(p int) float64 {
	if len(s) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(s))[(len(s)*p+99)/100-1]
}

func (s samples) spread() (least, most float64) {
	if len(s) == 0 {
		return 0, 0
	}
	return slices.Min(s), slices.Max(s)
}
