// Counts the tokens of recorded replies, one JSON object a line in the files of a
// folder, and prints them by tool as JSON.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const folder = process.argv[2];
const rows = {};
function add(name, text, json) {
  const row = (rows[name] ??= { replies: 0, text: 0, json: 0 });
  row.replies++;
  row.text += text;
  row.json += json;
}
const plain = { allowedSpecial: new Set(), disallowedSpecial: new Set() }; // whatever a program prints is text
for (const name of readdirSync(folder)) {
  for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
    if (line === "") continue;
    const reply = JSON.parse(line);
    const text = countTokens(reply.text, plain);
    const json = countTokens(reply.json, plain);
    add(reply.tool, text, json);
    if (reply.stop) add("stops", text, json);
    add("all", text, json);
  }
}
console.log(JSON.stringify(rows));
