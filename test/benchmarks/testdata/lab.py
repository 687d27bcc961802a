"""Plants faults in Python programs of others, and says what is true of a program.

    lab.py plant HumanEval.jsonl.gz COUNT SEED   programs with a fault each, as JSON
    lab.py truth PROGRAM                         how it fails by itself, as JSON
    lab.py values PROGRAM                        what the expressions on the standard
                                                 input are where it fails, as JSON

Nothing of the debugger is used: a program is run by exec, its failure is what it
raised, and an expression is evaluated in the frame that raised it.
"""

import ast
import contextlib
import gzip
import io
import json
import os
import random
import resource
import signal
import sys

LIMIT = 2  # seconds that a program may take


class Endless(BaseException):
    """The program was still running when its time was over."""


def late(*_):
    raise Endless


# -- The table of operators. Each gives (start, end, new text) of a node, or nothing. --

def span(node):
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def between(text, left, right):
    """Where the operator stands between two operands."""
    return span(left)[1], span(right)[0]


def swap_sign(table):
    def change(node, text):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right, op = node.left, node.comparators[0], node.ops[0]
        elif isinstance(node, ast.BinOp):
            left, right, op = node.left, node.right, node.op
        else:
            return
        new = table.get(type(op))
        start, end = between(text, left, right)
        old = text.get(start, end)
        if new and old.strip() == new[0]:
            yield start, end, old.replace(new[0], new[1])
    return change


def off_by_one(node, text):
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, (ast.Slice, ast.Tuple)):
        yield (*span(node.slice), "(" + text.of(node.slice) + ") - 1")
    if isinstance(node, ast.Slice):
        for bound in filter(None, (node.lower, node.upper)):
            yield (*span(bound), "(" + text.of(bound) + ") + 1")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        last = node.args[min(1, len(node.args) - 1)]
        yield (*span(last), "(" + text.of(last) + ") - 1")


def constant(node, text):
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield (*span(node), str(node.value + 1))
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield (*span(node), str(not node.value))


def arguments(node, text):
    if isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
        a, b = node.args
        yield span(a)[0], span(b)[1], text.of(b) + ", " + text.of(a)


def negated(node, text):
    if isinstance(node, (ast.If, ast.IfExp)):
        yield (*span(node.test), "not (" + text.of(node.test) + ")")


def unchecked(node, text):
    if isinstance(node, ast.If):
        yield (*span(node.test), "False and (" + text.of(node.test) + ")")


def dropped(node, text):
    if isinstance(node, (ast.AugAssign, ast.Expr)) and not isinstance(getattr(node, "value", None), ast.Constant):
        yield (*span(node), "pass")


def early(node, text):
    if isinstance(node, (ast.For, ast.While)):
        first = node.body[0]
        at = span(first)[0]
        yield at, at, "return None\n" + " " * first.col_offset


def junction(node, text):
    if isinstance(node, ast.BoolOp) and len(node.values) == 2:
        start, end = between(text, *node.values)
        old = text.get(start, end)
        words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        if old.strip() == words[0]:
            yield start, end, old.replace(*words)


def variable(node, text):
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for other in text.names:
            if other != node.id:
                yield (*span(node), other)


def result(node, text):
    if isinstance(node, ast.Return) and node.value is not None:
        yield (*span(node), "return None")


OPERATORS = {
    "a bound": swap_sign({ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}),
    "a sign": swap_sign({ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.FloorDiv: ("//", "%"), ast.Mod: ("%", "//")}),
    "an equality": swap_sign({ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in")}),
    "an index": off_by_one,
    "a constant": constant,
    "swapped arguments": arguments,
    "a negated condition": negated,
    "a check left out": unchecked,
    "a statement left out": dropped,
    "an early return": early,
    "and for or": junction,
    "a variable": variable,
    "no result": result,
}


class Text:
    """The source of a program, read by places."""

    def __init__(self, source):
        self.lines = source.splitlines(keepends=True)
        self.names = []

    def offset(self, at):
        line, column = at
        before = self.lines[line - 1].encode()[:column].decode()
        return sum(map(len, self.lines[:line - 1])) + len(before)

    def get(self, start, end):
        return "".join(self.lines)[self.offset(start):self.offset(end)]

    def of(self, node):
        return self.get(*span(node))

    def put(self, start, end, new):
        source = "".join(self.lines)
        return source[:self.offset(start)] + new + source[self.offset(end):]


def mutants(source, function):
    """All faults that the table knows for a function: (operator, line, program)."""
    tree = ast.parse(source)
    for root in tree.body:
        if not isinstance(root, ast.FunctionDef) or root.name != function:
            continue
        text = Text(source)
        text.names = sorted({n.id for n in ast.walk(root) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                            | {a.arg for a in root.args.args})
        nodes = [n for s in root.body for n in ast.walk(s)]
        for name, operator in OPERATORS.items():
            for node in nodes:
                for start, end, new in operator(node, text):
                    yield name, start[0], text.put(start, end, new)


# -- What is true of a program. --

class Run:
    """A run of a program by itself, up to its end or to what it raised."""

    def __init__(self, source, name):
        self.name, self.source = name, source
        self.error, self.place, self.calls = None, None, {}
        space = {"__name__": "__main__" if not tests(source) else "program", "__file__": name}
        signal.signal(signal.SIGALRM, late)
        signal.alarm(LIMIT)
        sys.setprofile(self.note)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(source, name, "exec"), space)
                for test in tests(source):
                    space[test]()
        except (Exception, SystemExit, Endless) as e:
            self.error = e
        finally:
            sys.setprofile(None)
            signal.alarm(0)
        self.walk()

    def note(self, frame, event, value):
        if event == "return" and frame.f_code.co_filename == self.name:
            results = self.calls.setdefault(frame.f_code.co_name, [])
            if len(results) < 500:
                results.append(shown(value))

    def walk(self):
        """The last of the program's own frames that what it raised went through."""
        at = self.error.__traceback__ if self.error else None
        while at:
            if at.tb_frame.f_code.co_filename == self.name:
                self.place, self.frame = at.tb_lineno, at.tb_frame
            at = at.tb_next

    def statement(self):
        found = None
        for node in ast.walk(ast.parse(self.source)):
            if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.lineno <= self.place <= node.end_lineno:
                found = node
        return found

    def value(self, expression):
        """What an expression is where it failed; nothing where that cannot be said."""
        signal.alarm(LIMIT)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                return shown(eval(expression, self.frame.f_globals, self.frame.f_locals))
        except (Exception, Endless):
            return None
        finally:
            signal.alarm(0)

    def truth(self):
        if self.error is None:
            return {"ok": True}
        if isinstance(self.error, Endless):
            return {"endless": True}
        statement = self.statement()
        says = {"raised": type(self.error).__name__, "message": str(self.error),
                "lines": [self.place] if statement is None else list(range(statement.lineno, statement.end_lineno + 1)),
                "assertion": isinstance(statement, ast.Assert) and isinstance(self.error, AssertionError)}
        if says["assertion"] and isinstance(statement.test, ast.Compare) and len(statement.test.ops) == 1:
            sides = [statement.test.left, statement.test.comparators[0]]
            texts = [ast.get_source_segment(self.source, side) for side in sides]
            says["sides"] = [{"expression": text, "value": self.value(text), "literal": literal(side)}
                             for text, side in zip(texts, sides)]
        return says


def shown(value):
    try:
        return repr(value)[:400]
    except Exception:
        return None


def literal(node):
    try:
        ast.literal_eval(node)
        return True
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False


def tests(source):
    return [n.name for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]


# -- The programs of HumanEval, with a fault each. --

FORMS = (("script", "check({})\n"), ("pytest", "def test_{0}():\n    check({0})\n"))


def plant(data, count, seed):
    """The same programs for the same seed; each problem gives one at most."""
    with gzip.open(data) as lines:
        problems = [json.loads(line) for line in lines]
    chance = random.Random(seed)
    chance.shuffle(problems)
    made, endless = [], 0
    for problem in problems:
        if len(made) >= count:
            break
        if "random" in problem["test"]:  # it may fail in another way each time
            continue
        name = problem["entry_point"]
        form, last = FORMS[len(made) % len(FORMS)]
        whole = problem["prompt"] + problem["canonical_solution"] + "\n" + problem["test"].rstrip() + "\n\n\n" + last.format(name)
        stem = problem["task_id"].replace("/", "_").lower()
        if Run(whole, stem).truth() != {"ok": True}:
            continue
        base = {"name": stem, "form": form}
        if len(made) % 7 == 6:
            made.append({**base, "text": whole, "truth": {"ok": True}, "operator": ""})
            continue
        all_mutants = list(mutants(whole, name))
        kinds = sorted({kind for kind, _, _ in all_mutants})
        chance.shuffle(kinds)
        for kind in kinds[:6]:
            kind, line, text = chance.choice([m for m in all_mutants if m[0] == kind])
            truth = attempt(text, stem)
            if not truth or truth.get("ok") or truth.get("raised") in ("RecursionError", "MemoryError"):
                continue
            if truth.get("endless"):
                endless += 1
                if endless > 2:
                    continue
            made.append({**base, "text": text, "truth": truth, "operator": kind, "line": line})
            break
    return made


def attempt(text, name):
    try:
        ast.parse(text)
        return Run(text, name).truth()
    except SyntaxError:
        return None


def main():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    mode, file, *rest = sys.argv[1:]
    if mode == "plant":
        print(json.dumps(plant(file, int(rest[0]), int(rest[1]))))
        return
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    with open(file) as source:
        run = Run(source.read(), os.path.basename(file))
    if mode == "truth":
        print(json.dumps(run.truth()))
    else:
        values = {e: run.value(e) for e in json.load(sys.stdin)} if run.place else {}
        print(json.dumps({"values": values, "calls": run.calls}))


if __name__ == "__main__":
    main()
