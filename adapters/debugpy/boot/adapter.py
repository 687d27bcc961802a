# debugpy's own adapter, started with a few things changed:
#
# The sockets between it and the programs acknowledge at once. Left alone, each
# message of a program comes in two packets of which the second waits for the
# acknowledgement of the first, which the system delays by 40 ms.
#
# A program that our client starts in its terminal is started without the
# launcher between: it is one process less to wait for, and the client sees the
# program's own exit status.
#
# A condition that fails stops the program, so that it can be told. A log message
# says which logpoint wrote it, and a part of it that fails is said in its place.
# An assignment that fails says why.
#
# Arguments: the directory that holds the package debugpy.
import sys

if sys.version_info < (3, 8):
    sys.exit("debugpy needs Python 3.8 or newer, this is %d.%d" % sys.version_info[:2])

home = sys.argv.pop()
sys.path.insert(0, home)

import builtins
import io
import itertools
import json
import os
import socket

QUICK = getattr(socket, "TCP_QUICKACK", None)


class Socket(io.RawIOBase):
    """A socket that is read without delaying acknowledgements."""

    def __init__(self, sock):
        self.sock = sock

    def readable(self):
        return True

    def readinto(self, buffer):
        if QUICK is not None:  # it does not last: the system falls back by itself
            self.sock.setsockopt(socket.IPPROTO_TCP, QUICK, 1)
        return self.sock.recv_into(buffer)


class Stream:
    """What JsonIOStream wants of a reader and a writer."""

    def __init__(self, sock):
        self.sock = sock
        reader = io.BufferedReader(Socket(sock), 1 << 16)
        self.read, self.readline = reader.read, reader.readline

    def write(self, data):
        self.sock.sendall(data)
        return len(data)

    def flush(self):
        pass

    def close(self):
        pass


def from_socket(cls, sock, name=None):
    sock.settimeout(None)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def cleanup():
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        sock.close()

    stream = Stream(sock)
    return cls(stream, stream, repr(sock) if name is None else name, cleanup)


def callable_staticmethod():
    """debugpy 1.8.22 calls a static method in its class's body, which Python can do since 3.10."""

    class Static(staticmethod):
        def __call__(self, *args, **kwargs):
            return self.__func__(*args, **kwargs)

    return Static


def import_debugpy():
    plain = builtins.staticmethod
    if sys.version_info < (3, 10):
        builtins.staticmethod = callable_staticmethod()
    try:
        import debugpy.adapter.clients
    finally:
        builtins.staticmethod = plain
    sys.path.remove(home)


def command_line(arguments, target):
    """What the launcher would run."""
    import debugpy
    from debugpy import adapter
    from debugpy.adapter import servers
    from debugpy.common import sockets

    host, port = sockets.get_address(servers.listener)
    line = list(arguments["python"])
    if sys.version_info >= (3, 11):  # or breakpoints in the standard library are missed
        line += ["-X", "frozen_modules=off"]
    line += [os.path.dirname(debugpy.__file__), "--connect", "%s:%s" % (host, port)]
    if not arguments.get("subProcess", True):
        line += ["--configure-subProcess", "False"]
    line += ["--configure-qt", arguments.get("qt", "none")]
    line += ["--adapter-access-token", adapter.access_token]
    line += list(arguments.get("debugpyArgs", ()))
    return line + list(target)


def spawn_in_terminal(session, request, python, launcher, host, target, expand, cwd, console, title, sudo):
    """Stands in for launchers.spawn_debuggee."""
    from debugpy import common
    from debugpy.adapter import servers

    arguments = request.arguments
    env = dict(arguments.get("env", {}))
    if arguments.get("gevent"):
        env["GEVENT_SUPPORT"] = "True"
    session.client.channel.request(
        "runInTerminal",
        {"kind": "integrated", "title": title, "cwd": cwd or "", "args": command_line(arguments, target), "env": env},
    )
    connection = servers.wait_for_connection(session, lambda _: True, timeout=2 * common.PROCESS_SPAWN_TIMEOUT)
    if connection is None:
        raise request.cant_handle("The program did not connect to the debugger")
    connection.attach_to_session(session)


def initialize(original):
    def initialize(self, request):
        original(self, request)
        # Stop when a condition raises, and print nothing into the program's output.
        self.channel.request(
            "setDebuggerProperty",
            {"skipSuspendOnBreakpointException": [], "skipPrintBreakpointException": ["BaseException"]},
        )

    return initialize


# LOG is evaluated in the program at each hit of a logpoint.
LOG = """
def log(mark, parts, g, l):
    import json
    said = [mark]
    for text, is_code in json.loads(bytes.fromhex(parts).decode()):
        if is_code:
            try:
                text = str(eval(text, g, l))
            except Exception as e:
                text = "{%s: %s: %s}" % (text, type(e).__name__, e)
        said.append(text)
    return "".join(said)
"""
MARK = "\x1e"


def parts_of(message):
    """Splits "i is {i}" into pairs of text and whether it is code."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(message):
        if c == "{":
            if depth == 0:
                parts.append((message[begin:i], False))
                begin = i + 1
            depth += 1
        elif c == "}" and depth > 0:
            depth -= 1
            if depth == 0:
                parts.append((message[begin:i], True))
                begin = i + 1
    if depth > 0:  # it is never closed
        begin -= 1
    return parts + [(message[begin:], False)]


class Logpoints:
    """Knows which logpoint wrote a line."""

    def __init__(self):
        self.places = {}
        self.marks = itertools.count(1)

    def dress(self, breakpoints):
        """Makes messages say which they are of; the marks, one a breakpoint."""
        marks = []
        for b in breakpoints:
            mark = None
            if b.get("logMessage"):
                mark = "%s%d%s" % (MARK, next(self.marks), MARK)
                b["logMessage"] = (
                    '{(lambda d: (exec(bytes.fromhex("%s").decode(), d), d["log"])[1])(dict())("%s", "%s", globals(), locals())}'
                    % (LOG.encode().hex(), mark.replace(MARK, "\\x1e"), json.dumps(parts_of(b["logMessage"])).encode().hex())
                )
            marks.append(mark)
        return marks

    def set_breakpoints(self, client, request):
        arguments = request.arguments
        breakpoints = arguments.get("breakpoints") or []
        join_conditions(breakpoints)
        marks = self.dress(breakpoints)
        body = client.server.channel.request("setBreakpoints", arguments)
        source = {"path": arguments.get("source", {}).get("path")}
        for mark, b in zip(marks, body.get("breakpoints", [])):
            if mark:
                self.places[mark] = (source, b.get("line"))
        return body

    def output(self, event):
        body = event.body
        text = body.get("output", "")
        if not text.startswith(MARK):
            return
        end = text.find(MARK, 1) + 1
        body["output"] = text[end:]
        if text[:end] in self.places:
            body["source"], body["line"] = self.places[text[:end]]


def join_conditions(breakpoints):
    """With a condition and a count debugpy stops when either holds: now only
    those hits count for which the condition holds."""
    for b in breakpoints:
        count = (b.get("hitCondition") or "").strip()
        if not count or not b.get("condition"):
            continue
        if count.isdigit():
            count = "== " + count
        elif count.startswith("%"):
            count += " == 0"
        b["condition"] = (
            '(%s) and (lambda d, k: d.__setitem__(k, d.get(k, 0) + 1) or d[k] %s)'
            '(__import__("sys").__dict__.setdefault("_aidb_hits", dict()), %d)' % (b["condition"], count, next(conditions))
        )
        del b["hitCondition"]


conditions = itertools.count()


def set_expression(client, request):
    a = request.arguments
    line = "%s = (%s)" % (a.get("expression"), a.get("value"))
    client.server.channel.request("evaluate", {"expression": line, "frameId": a.get("frameId"), "context": "repl"})
    return {"value": a.get("value")}


def handlers(clients, servers):
    """Adds the handlers of requests and events that are changed."""
    from debugpy.adapter import components

    handler = components.Component.message_handler
    known = Logpoints()

    def setBreakpoints_request(self, request):
        return known.set_breakpoints(self, request)

    def setExpression_request(self, request):
        return set_expression(self, request)

    def output_event(self, event):
        known.output(event)
        self.client.propagate_after_start(event)

    clients.Client.setBreakpoints_request = handler(setBreakpoints_request)
    clients.Client.setExpression_request = handler(setExpression_request)
    servers.Server.output_event = handler(output_event)


def main():
    import_debugpy()
    from debugpy.adapter import __main__ as adapter
    from debugpy.adapter import clients, launchers, servers
    from debugpy.common import log, messaging

    messaging.JsonIOStream.from_socket = classmethod(from_socket)
    launchers.spawn_debuggee = spawn_in_terminal
    servers.Server.initialize = initialize(servers.Server.initialize)
    handlers(clients, servers)
    log.stderr.levels = set()  # what a request failed of is told to the client
    sys.argv[0] = adapter.__file__
    adapter.main()


main()
