# Has the code of a file with breakpoints say itself that a line with one is reached, up to
# Python 3.11, so that nothing need be traced until then: while a thread is, the interpreter
# calls the debugger at each call. As a file is loaded, its source is compiled with a call in
# front of the statements at which somebody wants to stop. That judges the condition, and only
# where it holds has its thread traced, for that line. What cannot be had so (lines to which
# a loop comes back, which hold functions of their own, files that are loaded in other ways,
# breakpoints that are set later) is traced as before. It goes on where resting.py ends.
import ast
import dis
import functools
import importlib._bootstrap_external as loaders
import re

from _pydevd_bundle.pydevd_breakpoints import LineBreakpoint

FUNCTIONS = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
MARK = "\0aidb:%d"


class Reach:
    """What is called in front of a statement with a breakpoint."""

    # wish is what the code there judges; None: nothing. other: something else counts there by
    # now. passes of the breakpoint that is wanted are not counted yet; at those that are due, it is asked.
    __slots__ = ("path", "line", "wish", "other", "wanted", "passes", "due")
    fault = Exception

    def __init__(self, path, line, wish):
        self.path, self.line, self.wish = path, line, wish
        self.other, self.wanted, self.passes, self.due = True, None, 0, 0

    def __reduce__(self):
        return functools.partial, (int,)  # in another process nobody waits for it

    def holds(self):
        judgement.held = False
        self(True, 2)

    def counted(self):
        """A pass of the line that may be one that is to stop."""
        wanted = self.wanted
        self.count(1)
        self(False, 2)
        self.due = distance(self.wish.hits, wanted._hit_count)

    def count(self, but):
        """Tells the breakpoint what was passed, but for the last ones, which it counts itself."""
        if self.passes > but and self.wanted is not None:
            self.wanted._hit_count += self.passes - but
        self.passes = self.due = 0

    def __call__(self, held=False, up=1):
        db = constants.get_global_debugger()
        if db is None or db.pydb_disposed or judgement.on:
            return
        lines = db.breakpoints.get(self.path)
        wanted = lines and lines.get(self.line)
        if wanted is None:
            return
        frame = sys._getframe(up)
        if self.passes or self.due:
            self.count(0)
        tracer = sys.gettrace()
        if tracer is not None:
            return seen(db, tracer, frame)
        here = get_ident()
        thread = threading._active.get(here) or threading.current_thread()
        info = getattr(thread, "additional_info", None) or db.set_additional_thread_info(thread)
        if info.is_tracing:
            return
        if held:
            judged[here] = wanted, frame, True
        elif (wanted.condition or wanted.hit_condition) and not wanted.is_logpoint and not judges(info, wanted, frame, here):
            return
        if not getattr(thread, "is_pydev_daemon_thread", False) and not getattr(thread, "pydev_do_not_trace", None):
            reached.add(here)
            db.set_trace_for_frame_and_parents(here, frame)
            set_tracer(db.trace_dispatch)


get_ident = threading.get_ident
judged = {}  # by thread: a breakpoint, the frame that has come to it, and what its condition came to
at = threading.local()  # .statement: a statement is about to begin, of which a condition is judged


def seen(db, tracer, frame):
    """A thread that is traced comes to a line, of which the debugger hears, if it is that
    which traces."""
    own = isinstance(tracer, dispatch.ThreadTracer) or os.path.basename(getattr(getattr(tracer, "__code__", None), "co_filename", "")).startswith("pydevd")
    if own and frame.f_trace is None and not db.pydb_disposed:
        db.set_trace_for_frame_and_parents(get_ident(), frame)


def judges(info, breakpoint, frame, here):
    """Whether a breakpoint's condition holds, which is judged once; one that has no value
    is judged again by who says so."""
    info.is_tracing += 1
    try:
        held = bool(breakpoint.hit_condition) and breakpoint.handle_hit_condition(frame)
        if not held:
            if not breakpoint.condition:
                return False
            held = holds(breakpoint.condition, frame)
            if not held:
                return False
        judged[here] = breakpoint, frame, held
        return True
    except Exception:
        return True
    finally:
        info.is_tracing -= 1


def holds(condition, frame):
    known = conditions.get(condition)
    if known is None:
        code = compile(condition, "<string>", "eval")
        known = conditions[condition] = code, ".aidb." not in condition and not any(isinstance(c, type(code)) for c in code.co_consts)
    code, simple = known
    if simple:
        return eval(code, frame.f_globals, frame.f_locals)
    at.statement = True
    try:
        return pydevd.eval(code, frame.f_globals, frame.f_locals)
    finally:
        at.statement = False


conditions = {}  # as code, and whether they are no more than an expression of the program's


def judged_once(original):
    def handle_breakpoint_condition(self, info, pybreakpoint, new_frame):
        known = judged.pop(get_ident(), None)
        if known is not None and known[0] is pybreakpoint and known[1] is new_frame:
            return known[2]
        return original(self, info, pybreakpoint, new_frame)

    return handle_breakpoint_condition


def where_it_begins(original):
    """Stands in for what tells whether a statement begins, or a call with it."""

    def check(*last):
        return getattr(at, "statement", False) or original(*last)

    return check


counts = {}  # conditions of hits, as what says of a number whether they hold


def counting(original):
    """Counts hits, without compiling anew at each what is compared."""

    def handle_hit_condition(self, frame):
        if not self.hit_condition:
            return False
        if self.hit_condition not in counts:
            m = COUNT.match(self.hit_condition)
            plain = m and (m.group(1) == "%") == bool(m.group(3))
            counts[self.hit_condition] = eval("lambda hit: " + self.hit_condition.replace("@HIT@", "hit")) if plain else None
        reaches = counts[self.hit_condition]
        if reaches is None:
            return original(self, frame)
        with self._hit_condition_lock:
            self._hit_count += 1
            return reaches(self._hit_count)

    return handle_hit_condition


# Code that is loaded.

spans = {}  # by the address of a code object: it, and from where to where the calls are that were put into it


def woven(path, file, read):
    """The code of a file with what says that its lines are reached, None where there is
    nothing to stop for."""
    db = constants.get_global_debugger()
    lines = dict(db.breakpoints.get(path, ())) if db is not None else ()
    if not lines or place.crowded:
        return None
    source = read()
    code, marks = with_marks(source, file, path, {line: judged_by_code(b) for line, b in lines.items()})
    if code is None:
        return None
    code = planted(code, marks, beyond(source))
    covered[path] = frozenset(lines)
    reaches.extend(r for r in marks.values() if r is not judgement and r.wish)
    settle(db)
    constants.aidb_executed(file)
    constants.aidb_forget()
    return code


def beyond(source):
    """A line that a file does not have."""
    return 2 + source.count(b"\n")


def judged_by_code(breakpoint):
    wish = wish_of(breakpoint)
    return wish if judgeable(wish) else None


def with_marks(source, file, path, wishes):
    """The code of a file with marks that stand for calls at some lines, and the calls by their
    marks; no code where that is not possible. Wishes are what the code is to judge itself, by the lines."""
    for judged in (wishes, dict.fromkeys(wishes)) if any(wishes.values()) else (wishes,):
        tree = compile(source, file, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        spots = places(tree, set(judged))
        if len(spots) < len(judged):
            return None, {}
        marks = {GUARD: judgement}
        for line, (body, statement) in spots.items():
            mark = MARK % line
            marks[mark] = Reach(path, line, judged[line])
            put(body, statement, judging(judged[line], mark) if judged[line] else ast.Expr(call_of(mark)), beyond(source))
        code = compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)
        if not any(judged.values()) or same_scopes(code, compile(source, file, "exec", dont_inherit=True)):
            return code, marks
    return None, {}


def call_of(mark):
    return ast.Call(ast.BoolOp(ast.Or(), [ast.Constant(mark), ast.Constant(mark)]), [], [])


def put(body, statement, before, line):
    """Puts a statement before another one, all of it on one line."""
    for part in ast.walk(before):
        part.lineno = part.end_lineno = line
        part.col_offset = part.end_col_offset = 0
    body.insert(next(i for i, s in enumerate(body) if s is statement), before)


def planted(code, marks, beyond):
    """A code object in which calls stand for their marks."""
    consts = tuple(planted(c, marks, beyond) if isinstance(c, type(code)) else marks.get(c, c) if isinstance(c, str) else c for c in code.co_consts)
    if all(a is b for a, b in zip(consts, code.co_consts)):
        return code
    code = code.replace(co_consts=consts)
    found, begun = [], None
    starts = dict(dis.findlinestarts(code))
    for offset in range(0, len(code.co_code), 2):
        line = starts.get(offset)
        if line == beyond and begun is None:
            begun = offset
        elif line is not None and line != beyond and begun is not None:
            found.append((begun, offset))
            begun = None
    if begun is not None:
        found.append((begun, len(code.co_code)))
    if found:
        spans[id(code)] = code, found
    return code


def places(tree, lines):
    """By line, the statement that is all that begins or goes on there, and the list in which
    it stands."""
    first, refused = {}, set()
    for body, node in statements(tree):
        line, compound = node.lineno, hasattr(node, "body")
        if line in lines:
            if line not in first and plain(node):
                first[line] = body, node
            elif compound or line not in first:
                refused.add(line)
        refused.update(range(line + 1, head_end(node) + 1))
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) or type(node).__name__ == "match_case":
            refused.add(getattr(node, "lineno", None) or node.pattern.lineno)
    return {line: spot for line, spot in first.items() if line not in refused}


def statements(node):
    """Those within a node, each with the list in which it stands, the outer ones first."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        body = getattr(node, name, None)
        for s in body if isinstance(body, list) else ():
            if isinstance(s, ast.stmt):
                yield body, s
            yield from statements(s)


def plain(node):
    """Whether a line event tells of a statement when it begins, and no other time."""
    if isinstance(node, ast.If):
        parts = [node.test]
    elif hasattr(node, "body") or hasattr(node, "cases") or isinstance(node, (ast.Global, ast.Nonlocal)):
        return False
    elif isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return False
    else:
        parts = [node]
    return not any(isinstance(x, FUNCTIONS) for part in parts for x in ast.walk(part))


def head_end(node):
    """The last line of a statement, of a compound one that of its heading."""
    if not hasattr(node, "body") and not hasattr(node, "cases"):
        return node.end_lineno
    inner = [getattr(x, "end_lineno", None) for name, value in ast.iter_fields(node) if name not in ("body", "orelse", "handlers", "finalbody", "cases")
             for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.AST) for x in ast.walk(part)]
    return max([node.lineno] + [line for line in inner if line])


def canonical(file):
    return pydevd.get_abs_path_real_path_and_base_from_file(file)[1]


def of_scripts(original):
    """Stands in for what reads the program's main file."""

    def _get_code_from_file(run_name, fname):
        try:
            code = None if str(fname).endswith(".pyc") else woven(canonical(fname), fname, functools.partial(content, fname))
        except Exception:
            code = None
        return original(run_name, fname) if code is None else (code, fname)

    return _get_code_from_file


def content(file):
    with open(file, "rb") as f:
        return f.read()


def of_modules(original):
    """Stands in for what reads a module."""

    def get_code(self, fullname):
        try:
            file = self.get_filename(fullname)
            code = woven(canonical(file), file, functools.partial(self.get_data, file))
        except Exception:
            code = None
        return original(self, fullname) if code is None else code

    get_code.__code__ = get_code.__code__.replace(co_filename=original.__code__.co_filename)  # tracebacks leave it out
    return get_code


# What is traced.


def of_reached_lines(original):
    def trace_dispatch(self, frame, event, arg):
        known = spans.get(id(frame.f_code))
        if known is None or event != "line":
            return original(self, frame, event, arg)
        if any(begin <= frame.f_lasti < end for begin, end in known[1]):
            return self.trace_dispatch  # it is no line of the program's
        try:
            found = original(self, frame, event, arg)
        finally:
            reached.discard(threading.get_ident())
        db, info = self._args[0], self._args[2]
        if may_rest(db, info) and not info.is_tracing:
            rest(db, info, frame)
        return unless_rested(frame, found)

    return trace_dispatch


def begin():
    pydevd.PyDB.on_breakpoints_changed = settling(pydevd.PyDB.on_breakpoints_changed)
    pydevd.PyDB.handle_breakpoint_condition = judged_once(pydevd.PyDB.handle_breakpoint_condition)
    LineBreakpoint.handle_hit_condition = counting(LineBreakpoint.handle_hit_condition)
    constants.aidb.entered = staticmethod(where_it_begins(constants.aidb.entered))
    constants.aidb.begins = staticmethod(where_it_begins(constants.aidb.begins))
    pydevd_frame.PyDBFrame.trace_dispatch = of_reached_lines(pydevd_frame.PyDBFrame.trace_dispatch)
    loaders.SourceLoader.get_code = of_modules(loaders.SourceLoader.get_code)
    for name in ("runpy", "_pydevd_bundle.pydevd_runpy"):
        runner = sys.modules.get(name)
        if hasattr(runner, "_get_code_from_file"):
            runner._get_code_from_file = of_scripts(runner._get_code_from_file)


if getattr(constants, "aidb_resting", None) is place and not hasattr(constants, "aidb_reaching"):
    constants.aidb_reaching = True
    begin()
