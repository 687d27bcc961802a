# The breakpoints of debugpy's adapter, as the head of adapter.py says: conditions, log
# messages, lines without code, files that are not loaded.
import ast
import itertools
import json
import os
import threading

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
# How something is evaluated beside a program that runs. As "repl" the debugger would put
# a stream of its own in the place of the program's standard output meanwhile, and longer
# than until it answers: print() crashes where that goes while it writes.
ASIDE = "watch"
NOT_LOADED = "the program has not loaded this file"
INSTEAD = "; it has loaded %s, which has the same name"


def unhex(text):
    return bytes.fromhex(text).decode()


def not_loaded(client, path):
    """Why breakpoints in a file wait, None when it is loaded or that cannot be told."""
    ask = '__import__("sys").modules["_pydevd_bundle.pydevd_constants"].aidb_loaded(bytes.fromhex("%s").decode())'
    try:
        answer = client.server.channel.request("evaluate", {"expression": ask % path.encode().hex(), "context": ASIDE})
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
