# Which locks a frame has taken, by what its source says: part of waits.py, to which it is joined.
import ast
import linecache
import sys
import threading
import types

LOCKS = (type(threading.Lock()), type(threading.RLock()))
asyncio, trio = sys.modules.get("asyncio"), sys.modules.get("trio")

# What one look has found: see waits().
trees = {}  # by file, its syntax
found = {}  # by a line of a function, the names of what is taken there
waited = {}  # by the frame that waits, the name of the lock


def own(code):
    path = code.co_filename.replace("\\", "/")
    return not ("lib/python" in path or "/Lib/" in path or "site-packages/" in path or path.startswith("<") or "/debugpy/" in path or path == "pydevd.py")


def spot(frame):
    return {"file": frame.f_code.co_filename, "line": frame.f_lineno or 0, "function": getattr(frame.f_code, "co_qualname", frame.f_code.co_name).replace(".<locals>", "")}


def named(frame, text):
    """The object of a name with attributes, by what runs no code of the program's."""
    names = text.split(".")
    value = frame.f_locals.get(names[0], frame.f_globals.get(names[0]))
    for name in names[1:]:
        held = value.__dict__ if isinstance(value, types.ModuleType) else getattr(type(value), "__dict__", {}) and object_dict(value)
        value = held.get(name, class_value(value, name)) if held is not None else None
    return value


def object_dict(value):
    try:
        return object.__getattribute__(value, "__dict__")
    except Exception:
        return {}


def class_value(value, name):
    for c in type.mro(value if isinstance(value, type) else type(value)):
        if name in c.__dict__:
            at = c.__dict__[name]
            if isinstance(at, types.MemberDescriptorType):  # of __slots__
                try:
                    return at.__get__(value)
                except Exception:
                    return None
            return at
    return None


def tree(filename):
    if filename not in trees:
        try:
            trees[filename] = ast.parse("".join(linecache.getlines(filename)))
        except Exception:
            trees[filename] = None
    return trees[filename]


def text(e):
    """A name with attributes, empty for anything else."""
    if isinstance(e, ast.Name):
        return e.id
    inner = text(e.value) if isinstance(e, ast.Attribute) else ""
    return inner + "." + e.attr if inner else ""


def called(e, method):
    """What a method is called on."""
    e = e.value if isinstance(e, (ast.Await, ast.Yield)) else e
    return text(e.func.value) if isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and e.func.attr == method else ""


def surely(e):
    """Whether a call of acquire() comes back only with the lock: it is given no time, and told to wait."""
    e = e.value if isinstance(e, (ast.Await, ast.Yield)) else e
    return not e.keywords and all(isinstance(a, ast.Constant) and a.value is True for a in e.args)


def around(node, line):
    return getattr(node, "lineno", 0) <= line <= (getattr(node, "end_lineno", None) or -1)


def body_of(filename, name, first):
    """The function that begins at a line."""
    for n in ast.walk(tree(filename) or ast.Module([], [])):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name == name:
            if min([n.lineno] + [d.lineno for d in n.decorator_list]) <= first <= n.lineno:
                return n.body
    return tree(filename).body if name == "<module>" and tree(filename) else None


def gives(node, name):
    return any(called(n, "release") == name for n in ast.walk(node) if isinstance(n, ast.Call))


def follow(list, line, held):
    """The names of locks that are taken where a line of a list of statements runs: (name, line)."""
    for s in list:
        if around(s, line):
            return into(s, line, held)
        if s.lineno > line:
            break
        if isinstance(s, ast.Expr) and called(s.value, "acquire"):
            if surely(s.value):
                held = held + [(called(s.value, "acquire"), s.lineno)]
        elif isinstance(s, ast.Assign) and called(s.value, "acquire"):
            pass  # whether it was got, its result says
        else:
            again = [text(t) for t in s.targets] if isinstance(s, ast.Assign) else []
            held = [h for h in held if not gives(s, h[0]) and h[0] not in again and h[0].split(".")[0] not in again]
    return held


def into(s, line, held):
    if isinstance(s, (ast.With, ast.AsyncWith)):
        if s.body[0].lineno <= line:
            return follow(s.body, line, held + [(text(i.context_expr), s.lineno) for i in s.items if text(i.context_expr)])
        return held
    if isinstance(s, (ast.For, ast.AsyncFor, ast.While)):
        held = [h for h in held if not gives(s, h[0])]  # an earlier round
    if isinstance(s, ast.Try) and any(around(n, line) for n in s.handlers + s.finalbody):
        held = [h for h in held if not any(gives(n, h[0]) for n in s.body)]
    for part in ("body", "orelse", "finalbody"):
        inner = getattr(s, part, None)
        if isinstance(inner, type([])) and any(around(n, line) for n in inner):
            return follow(inner, line, held)
    for h in getattr(s, "handlers", []):
        if around(h, line):
            return follow(h.body, line, held)
    return held


def taken(frame):
    """The locks that a frame has taken by what its source says: (object, line)."""
    code, line = frame.f_code, frame.f_lineno or 0
    key = code.co_filename, code.co_name, code.co_firstlineno, line
    if key not in found:
        body = body_of(code.co_filename, code.co_name, code.co_firstlineno)
        found[key] = follow(body, line, []) if body and hasattr(body[0], "end_lineno") else []
    all = [(named(frame, name), at) for name, at in found[key]]
    return all + before(frame, line)


def released(frame, lock):
    """Whether a frame may have given a lock back before where it stands, itself or by waiting on a condition."""
    code = frame.f_code
    if code.co_name in ("wait", "wait_for") and type(frame.f_locals.get("self")).__name__ == "Condition":
        return inner(frame.f_locals["self"]) is lock
    if not own(code):
        return False
    for s in body_of(code.co_filename, code.co_name, code.co_firstlineno) or ():
        for n in ast.walk(s):
            if isinstance(n, ast.Call) and n.lineno <= (frame.f_lineno or 0):
                name = called(n, "release")
                if name and inner(named(frame, name)) is lock and not any(at is lock for at, _ in taken(frame)):
                    return True
    return False


def before(frame, line):
    """Those of the same with statement before the one that is waited for."""
    at = waited.get(id(frame))
    for n in ast.walk(tree(frame.f_code.co_filename) or ast.Module([], [])) if at else ():
        if isinstance(n, (ast.With, ast.AsyncWith)) and n.lineno <= line < n.body[0].lineno:
            names = [text(i.context_expr) for i in n.items]
            if at in names:
                return [(named(frame, name), n.lineno) for name in names[: names.index(at)] if name]
    return []


def inner(lock):
    lock = lock._lock if isinstance(lock, threading.Condition) else lock
    if asyncio is not None and isinstance(lock, asyncio.Condition):
        lock = lock._lock
    return lock
