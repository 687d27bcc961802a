import { expect, test } from "vitest";
import { z } from "./v3/index.js";

const Line = z.object({ price: z.number().positive(), n: z.coerce.number().int() });
const Order = z.object({ customer: z.string().trim(), lines: z.array(Line).min(1) });

test("sums an order", () => {
  const order = Order.parse({ customer: " Ada ", lines: [{ price: 4.5, n: "2" }, { price: 1.25, n: 4 }] });
  const total = order.lines.reduce((sum, line) => sum + line.price * line.n, 0);
  expect(total).toBe(15);
});

test("refuses an order without lines", () => {
  const result = Order.safeParse({ customer: "Bob", lines: [] });
  expect(result.success).toBe(false);
});
