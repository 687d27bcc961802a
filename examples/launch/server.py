"""A server that tells prices: GET /tea answers 250."""
import http.server
import json
import sys


class Prices(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.strip("/")
        cents = self.server.prices.get(name)
        self.send_response(200 if cents else 404)
        self.end_headers()
        self.wfile.write(str(cents).encode())


with open(sys.argv[1]) as file:
    prices = json.load(file)
server = http.server.HTTPServer(("127.0.0.1", 0), Prices)
server.prices = prices
print("prices are told on port", server.server_port, flush=True)
server.serve_forever()
