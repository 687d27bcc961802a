const http = require("node:http");

const [port, early] = process.argv.slice(2);
if (early) {
  console.error("no settings: PAGES is missing");
  process.exit(3);
}
http.createServer().listen(Number(port), "127.0.0.1");
