# The condition of a Wish.First: the names that it takes from where it is judged, what it
# compares, and the functions that look at it there.
import ast
import builtins
import dis
import types

from .places import MISSING
from .private import mangle, mangled

RESULT = "result"  # recording.Result
EACH = "each"  # recording.Each
# Functions that only look at what they are given, and do not take anything out of it.
LOOKING = ("len", "abs", "type", "id", "isinstance", "bool", "ord", "round", "callable")
CALLING = (ast.Await, ast.NamedExpr, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.JoinedStr)


class Condition:
    def __init__(self, text, of_each=False):
        self.text, self.of_each = text.strip(), of_each
        tree = ast.parse(self.text, mode="eval").body
        self.free = free(self.text)
        self.of_result = RESULT in self.free
        looked, called = [], []
        for node in operands(tree):
            of = looked if looks(node) else called
            part = ast.get_source_segment(self.text, node)
            if part not in looked and part not in called:
                of.append(part)
        self.looked, self.called = looked, called
        if of_each and EACH not in looked:
            called.append(EACH)
        self.names = [x for x in self.free if x != (EACH if of_each else RESULT)]
        self.private = any(isinstance(x, ast.Attribute) and mangled(x.attr) for x in ast.walk(tree))

    def bound(self, code, where):
        """How it is judged in a function; where tells of the class around that."""
        return Bound(self, code, where if self.private else None)


class Bound:
    """A condition in one function: what of it are the function's variables."""

    def __init__(self, condition, code, cls):
        self.ordinary = code.co_flags & 1  # with variables of its own, as a module and a class's body have not
        own = frozenset(code.co_varnames + code.co_cellvars + code.co_freevars)
        self.own = [x for x in condition.names if not self.ordinary or x in own]
        self.others = [x for x in condition.names if x not in self.own and not hasattr(builtins, x)]
        parameters = self.own + [RESULT] * condition.of_result + [EACH] * condition.of_each
        self.codes = [function(condition.text, parameters, cls), function("(%s)" % "".join(x + "\n," for x in condition.looked), parameters, cls)]
        self.singles = [function(x, parameters, cls) for x in condition.looked + condition.called]
        self.scope = None  # the globals with which the functions are made

    def into(self, scope):
        self.scope = scope
        self.test, self.look = (types.FunctionType(code, scope) for code in self.codes)

    def arguments(self, frame):
        """The values of the variables that the condition names; None where one has none."""
        scope, found = frame.f_globals, []
        if scope is not self.scope:
            self.into(scope)
        for name in self.others:
            if name not in scope:
                return None
        if not self.own:
            return found
        variables = frame.f_locals
        for name in self.own:
            value = variables.get(name, MISSING)
            if value is MISSING:
                if self.ordinary:
                    return None
                value = scope.get(name, MISSING)
                if value is MISSING:
                    value = getattr(builtins, name, MISSING)
                if value is MISSING:
                    return None
            found.append(value)
        return found

    def each(self, values):
        """What the condition compares, one by one, as functions without arguments."""
        return [lambda code=code: types.FunctionType(code, self.scope)(*values) for code in self.singles]


def free(text):
    """The names of which an expression takes the values from where it stands, in order."""
    found, todo = [], [function(text, [], None)]
    for code in todo:
        found += [x.argval for x in dis.get_instructions(code) if x.opname == "LOAD_GLOBAL"]
        todo += [x for x in code.co_consts if hasattr(x, "co_code")]
    return list(dict.fromkeys(found))


def operands(node):
    """What an expression compares."""
    if isinstance(node, ast.BoolOp):
        parts = node.values
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        parts = [node.operand]
    elif isinstance(node, ast.Compare):
        parts = [node.left] + node.comparators
    else:
        named = any(isinstance(x, ast.Name) for x in ast.walk(node))
        return [node] if named else []
    return [x for part in parts for x in operands(part)]


def looks(node):
    """Says that looking at an expression does no more than that."""
    for part in ast.walk(node):
        if isinstance(part, CALLING):
            return False
        if isinstance(part, ast.Call) and not (isinstance(part.func, ast.Name) and part.func.id in LOOKING):
            return False
    return True


class Mangler(ast.NodeTransformer):
    def __init__(self, cls):
        self.cls = cls

    def visit_Attribute(self, node):
        self.generic_visit(node)
        node.attr = mangle(node.attr, self.cls)
        return node


def function(text, parameters, cls):
    """The code of a function with an expression as its body."""
    tree = ast.parse("lambda %s: (%s\n)" % (", ".join(parameters), text), mode="eval")
    if cls:
        tree = Mangler(cls).visit(tree)
    code = compile(tree, "<condition>", "eval", dont_inherit=True)
    return next(x for x in code.co_consts if hasattr(x, "co_code"))
