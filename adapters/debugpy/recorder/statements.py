# What the statements of a file write to and read, by the function they stand in.
import ast

LAMBDA = "<lambda>"
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
CHOOSING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, getattr(ast, "match_case", ast.If))  # their blocks may not run
BLOCKS = ("body", "orelse", "finalbody", "handlers", "decorator_list", "cases")
# Methods that change the list, dict, set or deque that they are called of, and functions
# that change the one that is given to them first.
CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem move_to_end add discard subtract appendleft popleft extendleft rotate "
    "difference_update intersection_update symmetric_difference_update".split())
PLACING = frozenset("heapify heappush heappop heapreplace heappushpop insort insort_left insort_right shuffle setitem delitem".split())
# Functions that write to members by their names.
BY_NAME = ("setattr", "delattr", "vars", "globals", "__setattr__", "__delattr__", "__dict__", "__setitem__", "update")


RETURNS, MAY_RETURN = "returns", "may return"  # what is known of a statement that begins


class Statement:
    """One statement, or what of a compound one runs when its first line does."""

    def __init__(self, node):
        self.first, self.node = node.lineno, node
        body = getattr(node, "body", None)
        self.last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno
        self.last = max(self.first, self.last)
        self.targets, self.reads, self.bases, self.callees = [], [], [], []
        self.risky = False  # something may be written to that no target names
        self.by_name = False
        self.returns = RETURNS if isinstance(node, ast.Return) else ""
        self.changing = []  # what may be changed where it lies, whatever else leads there
        self.body = None  # of a block: it has written to its targets only when the body comes next
        if isinstance(node, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)):
            self.risky, self.body = True, (body[0].lineno, body[-1].end_lineno)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self.targets = [name(a.asname or a.name.split(".")[0]) for a in node.names if a.name != "*"]
        if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            self.targets = [name(node.name)]
            if isinstance(node, FUNCTIONS):
                return
        self.fields(node)
        if isinstance(node, ast.AnnAssign) and node.value is None:
            self.targets = []  # it only says of which type the name is
        if isinstance(node, ast.AugAssign):
            self.risky = True
            self.read(node.target)
            self.change(node.target)

    def fields(self, node):
        for field, value in ast.iter_fields(node):
            if field in BLOCKS and isinstance(value, list):
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    self.look(part)

    def look(self, node):
        if isinstance(node, (ast.Lambda,) + COMPREHENSIONS):
            self.risky = True
            return
        store = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            if store:
                self.targets.append(node)
                self.risky = self.risky or not isinstance(node, ast.Name)
                self.change(node.value if isinstance(node, ast.Subscript) else None)
                self.by_name = self.by_name or "__dict__" in ast.dump(node)
            elif pure(node):
                self.read(node)
                return
        if isinstance(node, (ast.BoolOp, ast.IfExp)):
            return self.choice(*(node.values if isinstance(node, ast.BoolOp) else (node.test, node.body, node.orelse)))
        if isinstance(node, (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)):
            self.risky = True
            if isinstance(node, ast.Call):
                return self.call(node)
        for child in ast.iter_child_nodes(node):
            if store and isinstance(node, (ast.Attribute, ast.Subscript)) and child is node.value and pure(child):
                self.base(child)
                continue
            self.look(child)

    def choice(self, first, *others):
        """What is evaluated only if the first part says so."""
        self.look(first)
        certain = len(self.targets)
        for node in others:
            self.look(node)
        doubt(self.targets[certain:])

    def call(self, node):
        """What is called is no operand; the object whose method it is may be changed."""
        self.by_name = self.by_name or called(node) in BY_NAME
        if not pure(node.func):
            self.look(node.func)
        elif not isinstance(node.func, ast.Name):
            self.base(node.func.value)
            self.change(node.func.value if called(node) in CHANGING else None)
        else:  # perhaps it is a method of an object that it does not name
            self.callees.append(node.func)
        self.change(node.args[0] if node.args and called(node) in PLACING else None)
        for child in list(node.args) + [k.value for k in node.keywords]:
            self.look(child)

    def change(self, node):
        if node is not None and pure(node):
            self.changing.append(node)

    def read(self, node):
        text = ast.unparse(node) if hasattr(ast, "unparse") else written(node)
        if all(text != t for t, _ in self.reads):
            self.reads.append((text, node))
        self.base(node)

    def base(self, node):
        """All that a path leads through may be changed."""
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            self.bases.append(node)
            node = node.value
        self.bases.append(node)

    def join(self, other):
        """Several on one line."""
        self.node = None
        self.returns = MAY_RETURN if self.returns or other.returns else ""
        self.targets += other.targets
        self.reads += [r for r in other.reads if all(r[0] != t for t, _ in self.reads)]
        self.bases += other.bases
        self.callees += other.callees
        self.changing += other.changing
        self.last, self.risky, self.by_name, self.body = max(self.last, other.last), self.risky or other.risky, self.by_name or other.by_name, None


def name(text):
    return ast.Name(id=text, ctx=ast.Store())


def called(node):
    return node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""


def written(node):
    """ast.unparse of what is pure, for Python 3.8."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return "%s.%s" % (written(node.value), node.attr)
    if isinstance(node, ast.Subscript):
        key = index(node)
        return "%s[%s]" % (written(node.value), negative(key) if negative(key) is not None else written(key))
    return repr(getattr(node, "value", "?"))


def index(node):
    return node.slice.value if type(node.slice).__name__ == "Index" else node.slice


def pure(node):
    """Says that a look at the frame tells its value."""
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.Attribute):
        return pure(node.value)
    if isinstance(node, ast.Subscript):
        key = index(node)
        return pure(node.value) and (isinstance(key, ast.Constant) or pure(key) or negative(key) is not None or constants(key))
    return False


def constants(node):
    return isinstance(node, ast.Tuple) and all(isinstance(e, ast.Constant) or pure(e) for e in node.elts)


def negative(node):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, int):
        return -node.operand.value
    return None


def scopes(tree):
    """The statements of each function by their first lines: {(name, first line of the
    code object): {line: Statement}}. The module's own is ("<module>", 0)."""
    found = {}
    walk(tree, ("<module>", 0), found)
    return found


def walk(node, scope, found):
    for child in ast.iter_child_nodes(node):
        inner = scope
        if isinstance(child, ast.stmt):
            statement = Statement(child)
            if isinstance(node, CHOOSING) and child.lineno <= head(node):
                doubt(statement.targets)
            add(found, scope, statement)
        elif isinstance(child, ast.ExceptHandler):
            add(found, scope, block(child, [name(child.name)] if child.name else []))
        elif type(child).__name__ == "match_case":
            add(found, scope, block(child, captures(child.pattern)))
        elif isinstance(child, ast.Lambda):
            inner = (LAMBDA, child.lineno)
            if inner in found:
                found[inner] = {}  # two on one line are not told apart
            else:
                add(found, inner, expression(child.body))
        if isinstance(child, FUNCTIONS + (ast.ClassDef,)):
            inner = (child.name, min([child.lineno] + [d.lineno for d in child.decorator_list]))
        walk(child, inner, found)


def doubt(targets):
    """Marks what may be left as it is though its line runs."""
    for t in targets:
        t.doubtful = True


def head(node):
    """The last line of what stands before a block."""
    parts = [value for field, value in ast.iter_fields(node) if field not in BLOCKS and isinstance(value, ast.AST)]
    return max([getattr(node, "lineno", 0)] + [getattr(p, "end_lineno", 0) for p in parts])


def add(found, scope, statement):
    lines = found.setdefault(scope, {})
    if statement.first in lines:
        lines[statement.first].join(statement)
    else:
        lines[statement.first] = statement


def expression(node):
    """The body of a lambda."""
    return Statement(ast.copy_location(ast.Expr(node), node))


def block(node, targets):
    """The head of an except or a case."""
    head = getattr(node, "pattern", node)
    s = Statement(ast.copy_location(ast.Pass(), head))
    s.first, s.last = head.lineno, node.body[0].lineno - 1
    s.last = max(s.first, s.last)
    s.targets, s.body = targets, (node.body[0].lineno, node.body[-1].end_lineno)
    if isinstance(node, ast.ExceptHandler) and node.type is not None:
        s.look(node.type)
    if getattr(node, "guard", None) is not None:
        s.look(node.guard)
    return s


def captures(pattern):
    names = []
    for node in ast.walk(pattern):
        for field in ("name", "rest"):
            text = getattr(node, field, None)
            if isinstance(text, str):
                names.append(name(text))
    return names
