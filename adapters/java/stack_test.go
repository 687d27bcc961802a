package java

import (
	"slices"
	"testing"

	"aidb-mcp/adapters"
)

func TestStackPlaces(t *testing.T) {
	t.Parallel()
	got := stackPlaces("at java.base/java.lang.Integer.parseInt(Integer.java:67)\n(2 library frames)\nat com.shop.Cart.<init>(Cart.java:3)\n… 1 more")
	if want := []adapters.Thrown{{Function: "Integer.parseInt", File: "java/lang/Integer.java", Line: 67}, {Function: "Cart.<init>", File: "com/shop/Cart.java", Line: 3}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
