# Has the code of a program judge the conditions of its breakpoints by itself, up to Python
# 3.11. Where nothing but an expression stands in front of a statement, the interpreter needs
# a tenth of the time that it takes to call something that finds the breakpoint and its
# frame, and evaluates the text there. The expression is compiled with the function, so it is
# put there only where it means the same as text that is evaluated in the frame, and changes
# nothing of the function. Where it fails, or somebody wants something else of the line by now,
# the call is made as without it. It goes on in reaching.py.
import ast
import re
import sys

BEGINS = re.compile(r"__import__\(\"sys\"\)\.modules\[\"_pydevd_bundle\.pydevd_constants\"\]\.aidb\.(?:begins\(\d+\)|entered\(\))(?: and \((.*)\))?\Z", re.S)
COUNT = re.compile(r"@HIT@ (==|>=|<=|>|<|%)\s*(\d+)( == 0)?$")
CHANGING = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPE = ("co_varnames", "co_freevars", "co_cellvars", "co_flags")
GUARD = "\0aidb:judgement"
JUDGE = """
try:
    if {0}.other or {1}.on or {1}.traced():
        ({0} or {0})()
    else:
        {1}.on = True
        try:
            if {2}:
                {1}.held = True
        finally:
            {1}.on = False
        if {1}.held:
            {0}.holds()
except {0}.fault:
    ({0} or {0})()
"""
PASS = """
if {0}.other or {1}.on or {1}.traced():
    ({0} or {0})()
else:
    {0}.passes += 1
    if {0}.passes >= {0}.due:
        {0}.counted()
"""
NEVER = float("inf")


class Judgement:
    """One that is under way. What it executes of the program's own stops nowhere."""

    __slots__ = ("on", "held", "traced")

    def __init__(self):
        self.on = self.held = False
        self.traced = sys.gettrace  # while its thread is traced, the debugger judges

    def __reduce__(self):
        return Judgement, ()


judgement = Judgement()
reaches = []  # what is called at lines whose code judges by itself


class Wish:
    """What the code of a line may judge by itself: the expression that is to hold, or how often
    the line is to be passed."""

    __slots__ = ("expression", "hits")

    def __init__(self, expression, hits=None):
        self.expression, self.hits = expression, hits

    def __eq__(self, other):
        return isinstance(other, Wish) and (self.expression, self.hits) == (other.expression, other.hits)


def wish_of(breakpoint):
    """What is to hold at a line where a statement begins, None where nothing but the line
    counts, or more than can be judged there."""
    text, hits = breakpoint.condition, breakpoint.hit_condition
    if breakpoint.is_logpoint or bool(text) == bool(hits):
        return None
    if hits:
        m = COUNT.match(hits)
        return Wish(None, hits) if m and (m.group(1) == "%") == bool(m.group(3)) else None
    whole = BEGINS.match(text)
    if whole:
        text = whole.group(1)
    if not text or ".aidb." in text:
        return None
    return Wish(text.strip())


def judgeable(wish):
    """Whether a wish may become a part of the program's code. Of several threads one could be
    in a judgement while another comes to a line."""
    if wish is None or len(users()) > 1:
        return False
    if wish.hits:
        return True
    try:
        tree = ast.parse(wish.expression, "<string>", "eval")
    except (SyntaxError, ValueError):
        return False
    for node in ast.walk(tree):
        name = getattr(node, "attr", None) or getattr(node, "id", None)
        if isinstance(node, CHANGING) or isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
            return False  # in a class, such a name becomes another one
    return True


def distance(hits, count):
    """How many more passes there are, after so many, to one that is to stop."""
    op, number, _ = COUNT.match(hits).groups()
    number = int(number) + (op == ">") - (op == "<")
    if op == "%":
        return number - count % number if number else 1
    if op in ("<", "<="):
        return 1 if count < number else NEVER
    if count < number:
        return number - count
    return NEVER if op == "==" else 1


def judging(wish, mark):
    """The statement that judges by itself, and makes the call of a mark where that is to be."""
    if wish.hits:
        return ast.parse(PASS.format(repr(mark), repr(GUARD))).body[0]
    return ast.parse(JUDGE.format(repr(mark), repr(GUARD), "(" + wish.expression + "\n)")).body[0]


def same_scopes(code, plain):
    """Whether the functions of a code object have the variables that they have without what
    was put into them."""
    inner, without = (([c for c in x.co_consts if isinstance(c, type(code))]) for x in (code, plain))
    return all(getattr(code, part) == getattr(plain, part) for part in SCOPE) and len(inner) == len(without) and all(map(same_scopes, inner, without))


def settle(db):
    """Says at each line whether what its code judges is what counts there. While there is
    something else to stop for, the debugger hears of each line."""
    busy = watched(db)
    for reach in reaches:
        wanted = (db.breakpoints.get(reach.path) or {}).get(reach.line)
        reach.count(0)
        reach.other, reach.wanted = busy or wanted is None or wish_of(wanted) != reach.wish, wanted


def settling(original):
    """Stands in for what is called when breakpoints change, or exceptions that are to stop."""

    def on_breakpoints_changed(self, *args, **kwargs):
        settle(self)
        original(self, *args, **kwargs)

    return on_breakpoints_changed
