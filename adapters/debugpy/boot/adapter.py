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
# the ids of breakpoints count from 1: see breakpoints.py.
#
# What it listens at is for our user alone: see listeners.py. What programs import of
# debugpy is compiled once: see compiling.py.
#
# The scripts of PROGRAM are executed in each process of the program before its code, two
# that are named together as one.
#
# Arguments: the directory that holds the package debugpy, and the path at which the
# client's other connections are taken.
import sys

if sys.version_info < (3, 8):
    sys.exit("debugpy needs Python 3.8 or newer, this is %d.%d" % sys.version_info[:2])

home, client_path = sys.argv.pop(1), sys.argv.pop(1)

import builtins
import io
import os
import socket
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = ("quiet", "imports tests", "values", "mangling", "breaking", "loading", "raising", "returning", "children", "saying", "starting resting judging reaching", "passing", "sparing resuming", "imports leaving", "starting recording")

sys.path.insert(0, HERE)
sys.dont_write_bytecode = True  # these files live as long as this process
from breakpoints import ASIDE, Breakpoints, with_id
from compiling import compile_ahead
from listeners import guarded, is_told, users, without_token

sys.dont_write_bytecode = False
sys.path[0] = home


def script(name):
    """The text of one of the files beside this one."""
    with open(os.path.join(HERE, name + ".py"), encoding="utf-8") as file:
        return file.read()


QUICK = getattr(socket, "TCP_QUICKACK", None)
PRIVATE = getattr(socket, "AF_UNIX", None)


class Socket(io.RawIOBase):
    """A socket that is read without delaying acknowledgements."""

    def __init__(self, sock):
        self.sock = sock

    def readable(self):
        return True

    def readinto(self, buffer):
        if QUICK is not None and self.sock.family != PRIVATE:  # it does not last: the system falls back by itself
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
    if sock.family != PRIVATE:
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
    line += token_option(adapter)
    line += list(arguments.get("debugpyArgs", ()))
    return line + list(target)


def token_option(adapter):
    """Nothing where there is no token: see listeners.py."""
    return [] if adapter.access_token is None else ["--adapter-access-token", adapter.access_token]


class Injector:
    """Puts the debugger into a running program, and knows when that has failed."""

    process = None
    inside = None  # what the program calls itself: see inject.py

    def outside(self, pid):
        """The number that the program has for us."""
        return int(os.environ.get("AIDB_PROGRAM", pid)) if pid == self.inside else pid

    def inject(self, pid, debugpy_args, on_output):
        """Stands in for servers.inject."""
        from debugpy import adapter
        from debugpy.adapter import servers
        from debugpy.common import sockets

        self.inside = pid
        try:
            users.add(os.stat("/proc/%d" % self.outside(pid)).st_uid)
        except OSError:
            pass
        line = [sys.executable, "-I", os.path.join(HERE, "inject.py"), home]
        line += ["--connect", "%s:%s" % sockets.get_address(servers.listener)]
        line += token_option(adapter) + list(debugpy_args) + ["--pid", str(pid)]
        self.output = tempfile.TemporaryFile()
        self.process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)

    def failure(self):
        """What went wrong, None when nothing has."""
        if self.process is None or self.process.poll() in (None, 0):
            return None
        self.output.seek(0)
        lines = self.output.read().decode("utf-8", "replace").splitlines()
        for sign in ("ptrace", "Could not attach", "o such process", "No symbol", "sys.remote_exec: "):
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
    """servers.wait_for_connection that gives up when there is nothing to wait for.
    A process that has become another program has two connections for a while: it is
    the new one that is waited for."""

    def wait_for_connection(session, predicate, timeout=None):
        from debugpy.common import messaging

        end = None if timeout is None else time.monotonic() + max(timeout, 0)
        while True:
            connection = original(session, lambda c: not c.process_replaced and predicate(c), 0)
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
        execute = "exec(compile(bytes.fromhex('%s').decode(), 'pydevd.py', 'exec'), {'__name__': 'aidb'})"
        for names in PROGRAM:
            text = "\n".join(map(script, names.split()))
            self.channel.request("evaluate", {"expression": execute % text.encode().hex(), "context": ASIDE})

    return initialize


def set_expression(client, request):
    a = request.arguments
    line = "%s = (%s)" % (a.get("expression"), a.get("value"))
    client.server.channel.request("evaluate", {"expression": line, "frameId": a.get("frameId"), "context": "repl"})
    return {"value": a.get("value")}


def finalize(original, servers):
    """Stands in for Session._finalize, which ends the processes that are left when the
    first is over. Our client ends them, when it likes to; where its system does not tell it
    which those are, it is told here how many."""
    import json

    def _finalize(self, why, terminate_debuggee):
        left = [c.pid for c in servers.connections() if c.pid != self.pid and not gone(c.pid)]
        begun = self.client.start_request if self.client else None
        ends = not terminate_debuggee and begun is not None and begun.command == "launch"
        if ends:
            begun.command = "attach"  # of which nothing is ended
        if ends and left and sys.platform != "linux":
            try:
                self.client.channel.send_event("output", {"category": "console", "output": "\x1dleft " + json.dumps({"Processes": len(left)})})
            except Exception:
                pass  # the client is gone
        original(self, why, terminate_debuggee)

    return _finalize


def handlers(clients, servers, injector):
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

    def process_event(self, event):
        if "systemProcessId" in event.body:
            event.body["systemProcessId"] = injector.outside(event.body["systemProcessId"])
        if not self.launcher:
            self.client.propagate_after_start(event)

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
    servers.Server.process_event = handler(process_event)
    servers.Server.stopped_event = handler(stopped_event)
    servers.Server.breakpoint_event = handler(breakpoint_event)


def main():
    import_debugpy()
    from debugpy.adapter import __main__ as adapter
    from debugpy.adapter import clients, launchers, servers, sessions
    from debugpy.common import log, messaging, sockets

    told = is_told()
    sockets.serve = guarded(sockets.serve, client_path, told)
    if told:
        clients.serve = without_token(clients.serve)
    messaging.JsonIOStream.from_socket = classmethod(from_socket)
    launchers.spawn_debuggee = spawn_in_terminal
    injector = Injector()
    servers.inject = injector.inject
    servers.wait_for_connection = waiting(servers.wait_for_connection, injector.failure)
    servers.Server.initialize = initialize(servers.Server.initialize)
    handlers(clients, servers, injector)
    sessions.Session._finalize = finalize(sessions.Session._finalize, servers)
    log.stderr.levels = set()  # what a request failed of is told to the client
    compile_ahead(home)
    sys.argv[0] = adapter.__file__
    adapter.main()


main()
