import assert from "node:assert";
import { test } from "node:test";
import { total } from "./src/order.js";

test("takes the discount off", () => {
  assert.equal(total([{ price: 10, count: 2 }], 5), 19);
});
