# Has functions call traces by code that is put into them, before Python 3.12: their source is
# compiled again with calls of ours in it, and takes the place of their code. What is not
# reached costs nothing. At the end each has the very code object again that it had.
import ast
import gc
import sys
import tokenize
import types

from .counting import ENTER, LEAVE, PASS, WRITTEN, Refused
from .finding import FUNCTION, Found, library

MARK = "\0aidb:%d"


class Rewriter:
    def __init__(self):
        self.wishes = {}  # id of a code object: [itself, [(trace, kind, what)]]
        self.around = {}  # id of a code object: that around it
        self.made = {}  # id of a code object: what stands in its place
        self.origin = {}  # id of what stands in the place of another: that, itself
        self.sources = {}  # by file: its tree, its text, and the code of its functions

    def arm(self, trace, asked):
        found = Found()
        marks, notes = self.marks(trace, asked, found)
        for code, _, _ in marks:
            self.refuse_unlike(self.original(code), found)
        for code, kind, what in marks:
            code = self.original(code)
            self.wishes.setdefault(id(code), [code, []])[1].append((trace, kind, what))
        trace.end = lambda: self.disarm(trace)
        try:
            self.put(found.all)
        except BaseException:
            self.disarm(trace)
            raise
        under_way = self.running({id(self.original(code)) for code, _, _ in marks})
        if under_way:
            notes.append("what was under way when it was armed keeps its code and is not recorded: " + ", ".join(sorted(under_way)[:5]))
        return len(marks), notes

    def original(self, code):
        found = self.origin.get(id(code))
        return found[0] if found is not None else code

    def marks(self, trace, asked, found):
        if asked["written"]:
            variable = asked["variable"]
            marks = [(item[0], WRITTEN, variable) for item in found.all.values()
                     if item[0].co_flags & FUNCTION == FUNCTION and not library(item[0].co_filename) and variable.writes(item[0], item[2])]
            if not marks:
                raise Refused("no statement in a function of the program's own code writes %s" % asked["written"])
            marks = list({id(self.original(code)): (code, kind, what) for code, kind, what in marks}.values())
            return marks, []
        if asked["file"]:
            codes, at = found.line(asked["file"], asked["line"])
            if not codes:
                raise Refused("%s:%d stands in no function: that code has run, or runs once; before Python 3.12 only functions are recorded" % (asked["file"], asked["line"]))
            line = asked["line"]
            marks = []
            for code in {id(self.original(c)): self.original(c) for c in codes}.values():
                if self.statement(code, line, found) is not None:
                    marks.append((code, PASS, line))
            if not marks:
                raise Refused("no statement begins at %s:%d: before Python 3.12 values are recorded where one does" % (asked["file"], line))
            return marks, []
        codes = {id(self.original(c)): self.original(c) for c in found.functions(asked["functions"])}
        return [(code, ENTER, None) for code in codes.values()], []

    def statement(self, code, line, found):
        self.refuse_unlike(code, found)
        tree, _, _ = self.source(code.co_filename)
        node = self.node(tree, code)
        return next((s for s in own(node) if isinstance(s, ast.stmt) and begins(s) == line), None)

    # Sources.

    def source(self, file):
        known = self.sources.get(file)
        if known is None:
            try:
                with tokenize.open(file) as f:
                    text = f.read()
                tree = ast.parse(text, file)
            except (OSError, SyntaxError, UnicodeError) as e:
                raise Refused("the source of %s cannot be read, which is needed before Python 3.12: %s" % (file, e))
            whole = compile(text, file, "exec", dont_inherit=True)
            known = self.sources[file] = tree, text, {(c.co_name, c.co_firstlineno): c for c in inner(whole)}
        return known

    def refuse_unlike(self, code, found):
        """The source is to be that of the code that runs."""
        tree, _, codes = self.source(code.co_filename)
        like = codes.get((code.co_name, code.co_firstlineno))
        if like is None or not alike(like, code) or self.node(tree, code) is None:
            raise Refused("the source of %s in %s is not that of the code that runs: it was changed since it was loaded, or something has rewritten it" % (code.co_name, code.co_filename))

    def node(self, tree, code):
        kind = {"<lambda>": ast.Lambda}.get(code.co_name, (ast.FunctionDef, ast.AsyncFunctionDef))
        found = [n for n in ast.walk(tree) if isinstance(n, kind) and begins(n) == code.co_firstlineno and getattr(n, "name", code.co_name) == code.co_name]
        return found[0] if len(found) == 1 else None  # of two lambdas in a line nobody knows which

    # What stands in the place of code.

    def put(self, everything={}):
        """Gives all functions the code that they are to have now."""
        before = dict(self.origin)
        affected = {}
        for code, wishes in self.wishes.values():
            while code is not None and id(code) not in affected:
                affected[id(code)] = code
                around = everything.get(id(code), (None, None, None, None))[3] or self.around.get(id(code))
                around = self.original(around) if around is not None else None
                if around is not None and around.co_flags & FUNCTION != FUNCTION:
                    around = None  # a class or a module, whose code has run
                self.around[id(code)] = code = around
        self.made = {}
        for code in list(affected.values()):
            self.version(code, affected)
        new = {id(made): (original, made) for original, made in self.made.values() if made is not original}
        self.origin = {**before, **new}
        for _ in range(3):  # one may make others of the old code meanwhile
            changed = False
            for function in gc.get_objects():
                if type(function) is not types.FunctionType:
                    continue
                original = self.original(function.__code__)
                made = self.made.get(id(original))
                want = made[1] if made is not None else original
                if function.__code__ is not want:
                    function.__code__ = want
                    changed = True
            if not changed:
                break
        if not self.wishes:
            self.origin, self.around, self.made, self.sources = {}, {}, {}, {}

    def version(self, code, affected):
        known = self.made.get(id(code))
        if known is not None:
            return known[1]
        made = code
        wishes = self.wishes.get(id(code))
        if wishes is not None and wishes[1]:
            made = self.compiled(code, wishes[1])
        if id(code) in affected:
            mine = [c for c in code.co_consts if type(c) is types.CodeType]
            consts = []
            for constant in made.co_consts:
                if type(constant) is types.CodeType and mine:
                    old = mine.pop(0)
                    constant = self.version(old, affected) if id(old) in affected else old
                consts.append(constant)
            if any(a is not b for a, b in zip(consts, made.co_consts)):
                made = made.replace(co_consts=tuple(consts))
        self.made[id(code)] = code, made
        return made

    def compiled(self, code, wishes):
        _, text, _ = self.source(code.co_filename)
        tree = ast.parse(text, code.co_filename)
        node = self.node(tree, code)
        calls = {}

        def call(hook, line, *arguments):
            name = MARK % len(calls)
            calls[name] = hook
            made = ast.Call(ast.BoolOp(ast.Or(), [ast.Constant(name), ast.Constant(name)]), list(arguments), [])
            for part in ast.walk(made):
                if isinstance(part, ast.expr):
                    part.lineno = part.end_lineno = line
                    part.col_offset = part.end_col_offset = 0
            return made

        Putting(node, wishes, call).put()
        whole = compile(ast.fix_missing_locations(tree), code.co_filename, "exec", dont_inherit=True)
        made = next((c for c in inner(whole) if c.co_name == code.co_name and c.co_firstlineno == code.co_firstlineno and MARK % 0 in names(c)), None)
        if made is None or made.co_freevars != code.co_freevars or (made.co_flags ^ code.co_flags) & 0x3FF:
            raise Refused("%s in %s cannot be recorded: its code cannot be made anew" % (code.co_name, code.co_filename))
        return made.replace(co_consts=tuple(calls.get(c, c) if type(c) is str else c for c in made.co_consts))

    def running(self, codes):
        found = set()
        for frame in list(sys._current_frames().values()):
            while frame is not None:
                if id(frame.f_code) in codes:
                    found.add(frame.f_code.co_name)
                frame = frame.f_back
        for thing in gc.get_objects():
            code = getattr(thing, "gi_code", None) if type(thing) is types.GeneratorType else getattr(thing, "cr_code", None) if type(thing) is types.CoroutineType else None
            if code is not None and id(code) in codes:
                found.add(code.co_name)
        return found

    def disarm(self, trace):
        had = False
        for key, (code, wishes) in list(self.wishes.items()):
            left = [w for w in wishes if w[0] is not trace]
            had = had or len(left) < len(wishes)
            self.wishes[key][1] = left
            if not left:
                del self.wishes[key]
        if had:
            self.put()


class Putting:
    """Puts calls into the tree of a function."""

    def __init__(self, node, wishes, call):
        self.node, self.wishes, self.call = node, wishes, call

    def put(self):
        for trace, kind, what in self.wishes:
            if kind == PASS:
                self.before(what, lambda trace=trace: trace.hit(PASS, sys._getframe(1)))
            elif kind == ENTER:
                self.around(trace)
            else:
                self.stores(trace, what)

    def before(self, line, hook):
        done = []

        def at(body):
            for i, s in enumerate(body):
                if begins(s) == line and not done:
                    done.append(s)
                    body.insert(i, expression(self.call(hook, line), line))
                    return

        each_body(self.node, at)

    def around(self, trace):
        enter = lambda: trace.hit(ENTER, sys._getframe(1))

        def leave(value):
            trace.hit(LEAVE, sys._getframe(1), value, None, False)
            return value

        node = self.node
        if isinstance(node, ast.Lambda):
            line = node.body.lineno
            both = ast.Tuple([self.call(enter, line), node.body], ast.Load())
            zero = ast.Constant(1) if sys.version_info >= (3, 9) else ast.Index(ast.Constant(1))
            node.body = self.call(leave, line, ast.copy_location(ast.Subscript(ast.copy_location(both, node.body), zero, ast.Load()), node.body))
            return
        for s in own(node):
            if isinstance(s, ast.Return):
                value = s.value if s.value is not None else ast.copy_location(ast.Constant(None), s)
                s.value = wrapped(self.call(leave, s.lineno), value)
        first = 1 if ast.get_docstring(node, clean=False) is not None else 0
        at = begins(node.body[0])
        node.body.insert(first, expression(self.call(enter, node.body[first].lineno if first < len(node.body) else at), node.body[min(first, len(node.body) - 1)].lineno))
        last = node.body[-1]
        if not isinstance(last, (ast.Return, ast.Raise)):
            line = getattr(last, "end_lineno", None) or last.lineno
            if not isinstance(last, (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.AsyncFor, ast.AsyncWith)):
                line = last.lineno
            node.body.append(expression(wrapped(self.call(leave, line), ast.Constant(None, lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)), line))

    def stores(self, trace, variable):
        before = {}

        def first():
            before[id(sys._getframe(1))] = variable.get()

        def second():
            frame = sys._getframe(1)
            if id(frame) in before:
                was, now = before.pop(id(frame)), variable.get()
                if was is not now or variable.scope is frame.f_globals:
                    trace.hit(WRITTEN, frame, was, now, frame.f_lineno)

        def at(body):
            i = 0
            while i < len(body):
                s = body[i]
                if isinstance(s, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)) and targets(s, variable):
                    body.insert(i, expression(self.call(first, s.lineno), s.lineno))
                    body.insert(i + 2, expression(self.call(second, s.lineno), s.lineno))
                    i += 2
                i += 1

        each_body(self.node, at)


def targets(s, variable):
    """Whether a statement may write a variable: an attribute of its name, or the global."""
    roots = s.targets if isinstance(s, (ast.Assign, ast.Delete)) else [s.target]
    for part in (p for root in roots for p in ast.walk(root)):
        if isinstance(part, ast.Attribute) and part.attr == variable.name and not isinstance(part.ctx, ast.Load):
            return True
        if variable.scope is not None and isinstance(part, ast.Name) and part.id == variable.name and not isinstance(part.ctx, ast.Load):
            return True
    return False


def wrapped(call, value):
    call.args.append(value)
    return call


def expression(call, line):
    return ast.Expr(call, lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)


def begins(node):
    return min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", ())])


NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def own(node):
    """What stands in a function itself, and in none within it."""
    todo = list(node.body) if isinstance(node.body, list) else []
    for part in todo:
        yield part
        if not isinstance(part, NESTED):
            todo += ast.iter_child_nodes(part)


def each_body(node, f):
    for part in [node] + list(own(node)):
        if part is not node and isinstance(part, NESTED):
            continue
        for name in ("body", "orelse", "finalbody"):
            body = getattr(part, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                f(body)


def inner(code):
    for constant in code.co_consts:
        if type(constant) is types.CodeType:
            yield constant
            yield from inner(constant)


def names(code):
    return [c for c in code.co_consts if type(c) is str]


def alike(a, b):
    """Whether two code objects are of one source."""
    return (a.co_name, a.co_firstlineno, a.co_code, a.co_names, a.co_varnames, a.co_freevars, a.co_cellvars) == (
        b.co_name, b.co_firstlineno, b.co_code, b.co_names, b.co_varnames, b.co_freevars, b.co_cellvars) and [plain(c) for c in a.co_consts] == [plain(c) for c in b.co_consts]


def plain(constant):
    return (constant.co_name, constant.co_firstlineno) if type(constant) is types.CodeType else (type(constant), repr(constant) if not isinstance(constant, frozenset) else len(constant))
