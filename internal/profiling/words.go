package profiling

import (
	"fmt"
	"time"
)

// Brief writes nanoseconds as what was measured is told: "850ms", "2.54s".
func Brief(ns int64) string {
	d := time.Duration(max(ns, 0))
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// Percent writes a part of a whole.
func Percent(part, whole int64) string {
	if whole <= 0 {
		return "0%"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}

// Size writes a number of bytes.
func Size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
