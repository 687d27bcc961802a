package profiling

import "testing"

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		Brief(-5): "0s", Brief(850_300_000): "850ms", Brief(2_544_000_000): "2.54s",
		Percent(1, 3): "33.3%", Percent(1, 0): "0%",
		Size(10_239): "10239 bytes", Size(10 << 10): "10 KB", Size(10 << 20): "10 MB",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
