# Who may connect to debugpy's adapter: see adapter.py, which uses it.
#
# The client's other connections, one for each process of the program, come to a
# socket in a directory that nobody else can enter, where Python has such sockets.
#
# The programs connect to a port, which is open to everybody on the machine: whoever
# is not our user is turned away. Where the system tells who is at the other end
# there is no token then, for it would stand on the command lines of the program's
# processes, which everybody can read. Elsewhere the token is what guards the port.
import os
import socket
import sys
import threading

users = {0}  # who may connect: the system's own, we, and who owns a program that was attached to
if hasattr(os, "getuid"):
    users |= {os.getuid(), os.geteuid()}

TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
NOBODY = "0"  # the inode of a connection that its process has closed: the table calls it the system's


def written(family, address):
    """An address as the tables have it: words in the machine's byte order, and the port."""
    host = socket.inet_pton(family, address[0])
    words = (host[i : i + 4] for i in range(0, len(host), 4))
    return "%s:%04X" % ("".join("%08X" % int.from_bytes(w, sys.byteorder) for w in words), address[1])


def names(sock, address):
    """All that the tables may call an address: a connection to 127.0.0.1 can be made
    with a socket of either family, and stands in the table of that."""
    both = {written(sock.family, address)}
    if sock.family == socket.AF_INET:
        both.add(written(socket.AF_INET6, ("::ffff:" + address[0], address[1])))
    return both


def user_of(sock):
    """The user at the other end of a connection on this machine, None where that is not told."""
    try:
        theirs, mine = names(sock, sock.getpeername()), names(sock, sock.getsockname())
    except OSError:  # it is gone already
        return None
    for _ in range(3):  # a table that changes while it is read may lack a row
        for table in TABLES:
            try:
                with open(table) as rows:
                    for fields in map(str.split, rows):
                        if len(fields) > 9 and fields[1] in theirs and fields[2] in mine:
                            return int(fields[7]) if fields[9] != NOBODY else None
            except OSError:
                pass
    return None


def is_told():
    """Whether the system tells who is at the other end: it is tried on ourselves."""
    if not hasattr(os, "geteuid"):
        return False
    try:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen(1)
            with socket.create_connection(listener.getsockname()) as mine:
                taken, address = listener.accept()
                with taken:
                    return address == mine.getsockname() and user_of(taken) == os.geteuid()
    except OSError:
        return False


class Private:
    """A listener of debugpy's at a path. What connects there can enter its directory."""

    def __init__(self, path, handler):
        self.path = path
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.bind(path)
        self.sock.listen(socket.SOMAXCONN)
        threading.Thread(target=self.accept, args=(handler,), daemon=True).start()

    def accept(self, handler):
        while True:
            try:
                sock, _ = self.sock.accept()
            except OSError:  # it is closed
                return
            handler(sock)

    def getsockname(self):
        return self.path, 0

    def close(self):
        self.sock.close()


def guarded(original, path, told):
    """Stands in for sockets.serve."""

    def serve(name, handler, *args, **kwargs):
        if name == "Client" and hasattr(socket, "AF_UNIX"):
            return Private(path, handler)

        def own(sock):
            user = user_of(sock)
            if user in users or user is None and not told:
                # it asks who that is, and who says nothing may hold nobody else up
                threading.Thread(target=handler, args=(sock,), daemon=True).start()
            else:
                sock.close()

        return original(name, own, *args, **kwargs)

    return serve


def without_token(original):
    """Stands in for clients.serve, which comes between making the token and using it."""

    def serve(*args, **kwargs):
        from debugpy import adapter

        adapter.access_token = None
        return original(*args, **kwargs)

    return serve
