"""Somebody's production: two threads do some work 500 times a second each, another writes to
readers that have gone, and a server answers each line with how far the two are."""
import os
import socketserver
import threading
import time

counts = [0, 0]


def work(n):
    n = n + 1  #@mark hot
    return n


def risk(n):
    if n % 50 == 0:
        raise ValueError("thrown at %d" % n)


def count(i):
    n = 0
    while True:
        n = work(n)
        try:
            risk(n)
        except ValueError:
            pass
        counts[i] = n
        time.sleep(0.002)


def lose_readers():
    """Writes to whom nobody reads any more: each write is a signal, which Python leaves to itself."""
    while True:
        reader, writer = os.pipe()
        os.close(reader)
        try:
            os.write(writer, b"gone")
        except BrokenPipeError:
            os.close(writer)
        time.sleep(0.005)


class Answer(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.wfile.write(b"%s %d %d\n" % (line.strip(), counts[0], counts[1]))


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


if __name__ == "__main__":
    with Server(("127.0.0.1", 0), Answer) as server:
        for i in range(len(counts)):
            threading.Thread(target=count, args=(i,), daemon=True).start()
        threading.Thread(target=lose_readers, daemon=True).start()
        print("port", server.server_address[1], flush=True)
        server.serve_forever()
