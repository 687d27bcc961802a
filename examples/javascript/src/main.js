// Prints what the order in order.json costs.

import { readFileSync } from "node:fs";
import { total } from "./order.js";

const file = new URL("../order.json", import.meta.url);
const order = JSON.parse(readFileSync(file, "utf8"));

console.log(total(order.items, 0));
