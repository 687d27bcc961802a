package price

import "testing"

func TestDiscount(t *testing.T) {
	for _, tt := range []struct {
		name           string
		price, percent int
		want           int
	}{
		{"nothing off", 200, 0, 200},
		{"ten percent", 200, 10, 180},
		{"big sale (80%)", 200, 80, 40},
		{"half", 100, 50, 50},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Discount(tt.price, tt.percent)
			if got != tt.want {
				t.Errorf("Discount(%d, %d) = %d, want %d", tt.price, tt.percent, got, tt.want)
			}
		})
	}
}
