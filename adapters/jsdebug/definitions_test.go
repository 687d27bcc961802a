package jsdebug

import (
	"slices"
	"testing"
)

const manyFunctions = `import { x } from "./x"; // function commented() { }
export default function first(a: number): number {
  // a comment
  return a / 2; // a slash
}
async function* second<T>(a: T) { yield a }
const third = (a, b) => {
  return a + b;
};
const fourth = async a => a + 1;
const fifth = function named(a) {

  return a;
};
class Order<T> extends Base {
  #secret = /[/"]+/.test("function hidden() {");
  constructor(private readonly a: number) {
    super();
  }
  static async make({ a, b } = {}): Promise<Order> {
    return new Order();
  }
  get total() { return 5; }
  #hide(x) {
    if (x) { call(x) }
  }
  abstract nothing(): void;
}
const shop = {
  charge(sum) {
    return sum;
  },
  refund: (sum) => -sum,
  text: ` + "`a ${fourth(`b ${1}`)} function inText() {}`" + `,
};
call(function () { return 1; });
while (x()) {
  y();
}
__export(shop_exports, {
  charge: () => charge2,
  handedOut: () => handedOut2
});
module.exports.late = function (a) {
  return a;
};
var res = Object.create(null);
res.json = function json(obj) {
  return obj;
};
Order.prototype.ship = async (to) => to;
`

func TestFunctionsAreFound(t *testing.T) {
	t.Parallel()
	var got []string
	at := map[string]int{}
	for _, f := range functionsIn(manyFunctions) {
		got = append(got, f.fullName())
		at[f.fullName()] = f.line
	}
	want := map[string]int{
		"first": 4, "second": 6, "third": 8, "fourth": 10, "fifth": 13, "Order.constructor": 18, "Order.make": 21,
		"Order.total": 23, "Order.#hide": 25, "charge": 31, "refund": 33, "late": 45, "res.json": 49, "Order.ship": 51,
	}
	for name, line := range want {
		if at[name] != line {
			t.Errorf("%s: line %d, want %d", name, at[name], line)
		}
	}
	for _, name := range got {
		if want[name] == 0 {
			t.Errorf("%s was found, which is no function (line %d)", name, at[name])
		}
	}
	slices.Sort(got)
	if len(slices.Compact(got)) != len(want) {
		t.Errorf("found %q", got)
	}
}
