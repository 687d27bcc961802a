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
# An assignment that fails says why. A breakpoint on a line without code is not
# moved into another statement, one in a file that is not loaded is not verified, and
# the ids of breakpoints count from 1.
#
# Its ports are open to everybody on the machine: whoever is another user is
# turned away, so that what the ports take and give is ours alone.
#
# Scripts are executed in each process of the program before the program's code.
#
# Arguments: the directory that holds the package debugpy, and those scripts.
import sys

if sys.version_info < (3, 8):
    sys.exit("debugpy needs Python 3.8 or newer, this is %d.%d" % sys.version_info[:2])

home = sys.argv.pop(1)
program_scripts = sys.argv[1:]
del sys.argv[1:]
sys.path.insert(0, home)

import ast
import builtins
import io
import itertools
import json
import os
import socket
import subprocess
import tempfile
import threading
import time

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


def user_of(sock):
    """The user at the other end of a connection on this machine, None where the system does not tell."""

    def written(address):  # as the kernel's table has it: words in the machine's byte order
        host = socket.inet_pton(sock.family, address[0])
        words = (host[i : i + 4] for i in range(0, len(host), 4))
        return "%s:%04X" % ("".join("%08X" % int.from_bytes(w, sys.byteorder) for w in words), address[1])

    theirs, mine = written(sock.getpeername()), written(sock.getsockname())
    try:
        with open("/proc/net/tcp6" if sock.family == socket.AF_INET6 else "/proc/net/tcp") as table:
            for row in table:
                fields = row.split()
                if len(fields) > 7 and fields[1] == theirs and fields[2] == mine:
                    return int(fields[7])
    except OSError:
        pass
    return None


users = {0}  # who may connect: the system's own, we, and who owns a program that was attached to
if hasattr(os, "getuid"):
    users.add(os.getuid())


def serve_own(original):
    """sockets.serve that turns other users away."""

    def serve(name, handler, *args, **kwargs):
        def own(sock):
            if user_of(sock) in users | {None}:
                handler(sock)
            else:
                sock.close()

        return original(name, own, *args, **kwargs)

    return serve


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


class Injector:
    """Puts the debugger into a running program, and knows when that has failed."""

    process = None

    def inject(self, pid, debugpy_args, on_output):
        """Stands in for servers.inject."""
        import debugpy
        from debugpy import adapter
        from debugpy.adapter import servers
        from debugpy.common import sockets

        try:
            users.add(os.stat("/proc/%d" % pid).st_uid)
        except OSError:
            pass
        line = [sys.executable, os.path.dirname(debugpy.__file__)]
        line += ["--connect", "%s:%s" % sockets.get_address(servers.listener)]
        line += ["--adapter-access-token", adapter.access_token] + list(debugpy_args) + ["--pid", str(pid)]
        self.output = tempfile.TemporaryFile()
        self.process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)

    def failure(self):
        """What went wrong, None when nothing has."""
        if self.process is None or self.process.poll() in (None, 0):
            return None
        self.output.seek(0)
        lines = self.output.read().decode("utf-8", "replace").splitlines()
        for sign in ("ptrace", "Could not attach", "o such process", "No symbol"):
            for line in lines:
                if sign in line and len(line) < 200:
                    return "the debugger could not be put into the program: " + line.strip()
        return "the debugger could not be put into the program"


def gone(pid):
    if os.name != "posix" or not pid:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False


def waiting(original, failure):
    """servers.wait_for_connection that gives up when there is nothing to wait for."""

    def wait_for_connection(session, predicate, timeout=None):
        from debugpy.common import messaging

        end = None if timeout is None else time.monotonic() + max(timeout, 0)
        while True:
            connection = original(session, predicate, 0)
            if connection is not None or (end is not None and time.monotonic() >= end):
                return connection
            why = failure()
            if why is not None:
                raise messaging.MessageHandlingError(why)
            time.sleep(0.01)

    return wait_for_connection


def spawn_in_terminal(session, request, python, launcher, host, target, expand, cwd, console, title, sudo):
    """Stands in for launchers.spawn_debuggee."""
    from debugpy import common
    from debugpy.adapter import servers

    arguments = request.arguments
    env = dict(arguments.get("env", {}))
    if arguments.get("gevent"):
        env["GEVENT_SUPPORT"] = "True"
    started = session.client.channel.request(
        "runInTerminal",
        {"kind": "integrated", "title": title, "cwd": cwd or "", "args": command_line(arguments, target), "env": env},
    )
    pid = started.get("processId")
    wait = waiting(servers.wait_for_connection, lambda: "the program ended before it could be debugged" if gone(pid) else None)
    connection = wait(session, lambda _: True, 2 * common.PROCESS_SPAWN_TIMEOUT)
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
        # By their name the debugger knows the scripts as its own, which are not stepped into.
        script = "exec(compile(bytes.fromhex('%s').decode(), 'pydevd.py', 'exec'), {'__name__': 'aidb'})"
        for text in program_scripts:
            self.channel.request("evaluate", {"expression": script % text.encode().hex(), "context": "repl"})

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


class Source:
    """The lines of a file that belong to a statement."""

    def __init__(self):
        self.known = {}

    def has_code(self, path, line):
        """Whether a breakpoint makes sense on a line; yes when it cannot be told."""
        found = self.read(path)
        return found is None or line in found[0]

    def statement(self, path, line):
        """The last line of a simple statement of several lines that begins there, else None."""
        found = self.read(path)
        return found and found[1].get(line)

    def read(self, path):
        """The lines with code and the statements of several lines, None when they cannot be told."""
        try:
            stamp = os.stat(path).st_mtime_ns
            if self.known.get(path, (None,))[0] != stamp:
                with open(path, "rb") as f:
                    tree = ast.parse(f.read())
                self.known[path] = (stamp, (code_lines(tree), long_statements(tree)))
        except (OSError, SyntaxError, ValueError, TypeError, RecursionError):
            return None
        return self.known[path][1]


def long_statements(tree):
    """The last lines of simple statements of several lines, by their first."""
    return {
        n.lineno: n.end_lineno
        for n in ast.walk(tree)
        if isinstance(n, ast.stmt) and not hasattr(n, "body") and n.end_lineno > n.lineno
    }


def code_lines(tree):
    lines = set()
    for node in ast.walk(tree):
        first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if isinstance(node, ast.ExceptHandler) or type(node).__name__ == "match_case":
            first = first or node.pattern.lineno
            last = node.body[0].lineno - 1
        elif not isinstance(node, ast.stmt) or isinstance(node, (ast.Global, ast.Nonlocal)):
            continue
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # documentation
        elif getattr(node, "body", None):  # of a compound statement the heading
            first = min([first] + [d.lineno for d in getattr(node, "decorator_list", ())])
            last = node.body[0].lineno - 1
        lines.update(range(first, max(first, last) + 1))
    return lines


class Breakpoints:
    """Knows which logpoint wrote a line, and which lines have code."""

    def __init__(self):
        self.places = {}
        self.marks = itertools.count(1)
        self.source = Source()
        self.pending = {}  # by client and path, the breakpoints in a file that is not loaded
        self.lock = threading.Lock()

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
        path = arguments.get("source", {}).get("path")
        asked = arguments.get("breakpoints") or []
        sent = [b for b in asked if self.source.has_code(path, b.get("line"))]
        for b in sent:
            self.once(path, b)
        join_conditions(sent)
        marks = self.dress(sent)
        arguments["breakpoints"] = sent
        bound = iter(client.server.channel.request("setBreakpoints", arguments).get("breakpoints", []))
        marks = iter(marks)
        reply = []
        for b in asked:
            if not any(b is x for x in sent):
                reply.append({"verified": False, "line": b.get("line"), "message": "there is no code on this line"})
                continue
            answer, mark = next(bound), next(marks)
            if mark:
                self.places[mark] = ({"path": path}, answer.get("line"))
            reply.append(with_id(answer))
        self.doubt(client, path, [b for b in reply if b.get("verified")])
        return {"breakpoints": reply}

    def doubt(self, client, path, bound):
        """The debugger binds breakpoints in any file: those in one that the program
        has not loaded wait for it."""
        with self.lock:
            self.pending[client, path] = bound
        why = not_loaded(client, path) if bound else None
        with self.lock:
            if why is None or self.pending.get((client, path)) is not bound:  # it was loaded in the meantime
                self.pending.pop((client, path), None)
                return
            for b in bound:
                b["verified"], b["message"] = False, why

    def loaded(self, client, path):
        with self.lock:
            bound = self.pending.pop((client, path), [])
        for b in bound:
            b["verified"] = True
            b.pop("message", None)
            client.channel.send_event("breakpoint", {"reason": "changed", "breakpoint": b})

    def instead(self, client, path, other):
        with self.lock:
            bound = self.pending.get((client, path), [])
        for b in bound:
            b["verified"], b["message"] = False, NOT_LOADED + INSTEAD % other
            client.channel.send_event("breakpoint", {"reason": "changed", "breakpoint": b})

    def once(self, path, b):
        """Has a breakpoint stop once a call of its function (mode entry), or once for
        its statement where that has several lines: see breaking.py."""
        last = self.source.statement(path, b.get("line"))
        if b.pop("mode", None) == "entry":
            check = "entered()"
        elif last:
            check = "begins(%d)" % last
        else:
            return
        check = '__import__("sys").modules["_pydevd_bundle.pydevd_constants"].aidb.' + check
        b["condition"] = "%s and (%s)" % (check, b["condition"]) if b.get("condition") else check

    def said(self, client, text):
        """Whether an output is what loading.py says."""
        if not text.startswith(SAYS):
            return False
        what, path, other = (text[1:].rstrip("\n").split(" ") + ["", ""])[:3]
        if what == "loaded":
            self.loaded(client, unhex(path))
        elif what == "instead":
            self.instead(client, unhex(path), unhex(other))
        return what in ("loaded", "instead")

    def output(self, event):
        body = event.body
        text = body.get("output", "")
        if not text.startswith(MARK):
            return
        end = text.find(MARK, 1) + 1
        body["output"] = text[end:]
        if text[:end] in self.places:
            body["source"], body["line"] = self.places[text[:end]]


SAYS = "\x1d"
NOT_LOADED = "the program has not loaded this file"
INSTEAD = "; it has loaded %s, which has the same name"


def unhex(text):
    return bytes.fromhex(text).decode()


def not_loaded(client, path):
    """Why breakpoints in a file wait, None when it is loaded or that cannot be told."""
    ask = '__import__("sys").modules["_pydevd_bundle.pydevd_constants"].aidb_loaded(bytes.fromhex("%s").decode())'
    try:
        answer = client.server.channel.request("evaluate", {"expression": ask % path.encode().hex(), "context": "repl"})
        said, _, other = answer.get("result", "").strip("'\"").partition(" ")
        if said != "no":
            return None
        return NOT_LOADED + (INSTEAD % unhex(other) if other else "")
    except Exception:
        return None


def with_id(breakpoint):
    breakpoint = dict(breakpoint)
    if breakpoint.get("id") is not None:
        breakpoint["id"] += 1
    return breakpoint


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
    from debugpy.common import messaging

    handler = components.Component.message_handler
    known = Breakpoints()

    def setBreakpoints_request(self, request):
        return known.set_breakpoints(self, request)

    def setExpression_request(self, request):
        return set_expression(self, request)

    def output_event(self, event):
        if not known.said(self.client, event.body.get("output", "")):
            known.output(event)
            self.client.propagate_after_start(event)

    def stackTrace_request(self, request):
        def reply(response):
            body = response.body
            if not isinstance(body, Exception):
                # The frames of an exception's causes are no part of the stack.
                frames = [f for f in body["stackFrames"] if not f["name"].startswith("[Chained Exc: ")]
                if body.get("totalFrames") is not None:
                    body["totalFrames"] -= len(body["stackFrames"]) - len(frames)
                body["stackFrames"] = frames
            request.respond(body)

        self.server.channel.propagate(request).on_response(reply)
        return messaging.NO_RESPONSE

    def stopped_event(self, event):
        ids = event.body.get("hitBreakpointIds")
        if ids:
            event.body["hitBreakpointIds"] = [i + 1 for i in ids]
        self.client.propagate_after_start(event)

    def breakpoint_event(self, event):
        if event.body.get("breakpoint"):
            event.body["breakpoint"] = with_id(event.body["breakpoint"])
        self.client.propagate_after_start(event)

    clients.Client.stackTrace_request = handler(stackTrace_request)
    clients.Client.setBreakpoints_request = handler(setBreakpoints_request)
    clients.Client.setExpression_request = handler(setExpression_request)
    servers.Server.output_event = handler(output_event)
    servers.Server.stopped_event = handler(stopped_event)
    servers.Server.breakpoint_event = handler(breakpoint_event)


def main():
    import_debugpy()
    from debugpy.adapter import __main__ as adapter
    from debugpy.adapter import clients, launchers, servers
    from debugpy.common import log, messaging, sockets

    sockets.serve = serve_own(sockets.serve)
    messaging.JsonIOStream.from_socket = classmethod(from_socket)
    launchers.spawn_debuggee = spawn_in_terminal
    injector = Injector()
    servers.inject = injector.inject
    servers.wait_for_connection = waiting(servers.wait_for_connection, injector.failure)
    servers.Server.initialize = initialize(servers.Server.initialize)
    handlers(clients, servers)
    log.stderr.levels = set()  # what a request failed of is told to the client
    sys.argv[0] = adapter.__file__
    adapter.main()


main()
