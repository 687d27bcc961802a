import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

settings = {}


def main():
    if "early" in sys.argv:
        print("no settings: PAGES is missing", file=sys.stderr)
        sys.exit(3)
    HTTPServer(("127.0.0.1", int(sys.argv[1])), BaseHTTPRequestHandler).serve_forever()


if __name__ == "__main__":
    main()
