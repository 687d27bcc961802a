# What is known of a file of the program: where its statements begin, what its functions
# are called, and which names it could ever give a value.
import ast
import bisect

from .statements import FUNCTIONS

ANONYMOUS = ("<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


class Source:
    """A file. Of one that cannot be read each line is a statement, and all names may be there."""

    def __init__(self, path):
        self.inner = {}  # lines at which a statement goes on: where it begins
        self.longer = set()  # statements of several lines
        self.returns = set()
        self.defined = {}  # (name, first line of its code): (line, qualified name)
        self.spans = []  # (first line, last line, qualified name) of functions and classes, in order
        self.classes = []  # (first line, last line, name)
        self.words, self.any = set(), False
        begun = set()
        try:
            with open(path, "rb") as f:
                self.read(ast.parse(f.read()), "", begun)
        except (OSError, SyntaxError, ValueError, RecursionError):
            self.any = True
        for line in begun.intersection(self.inner):
            del self.inner[line]
        self.longer = set(self.inner.values())
        self.spans.sort()

    def read(self, node, prefix, begun):
        for child in ast.iter_child_nodes(node):
            self.word(child)
            if isinstance(child, (ast.stmt, ast.ExceptHandler)) or type(child).__name__ == "match_case":
                self.statement(child, begun)
            inner = prefix
            if isinstance(child, FUNCTIONS + (ast.ClassDef,)):
                inner = prefix + child.name
                self.definition(child, inner)
                inner += "."
            self.read(child, inner, begun)

    def statement(self, node, begun):
        first = start(node)
        begun.add(first)
        if isinstance(node, ast.Return):
            self.returns.add(first)
        blocks = [x for x in (getattr(node, "body", None), getattr(node, "cases", None)) if isinstance(x, list) and x]
        last = getattr(node, "end_lineno", None)
        if blocks:
            last = start(blocks[0][0]) - 1
        for line in range(first + 1, (last or first) + 1):
            self.inner[line] = first

    def definition(self, node, name):
        first = start(node)
        self.defined[(node.name, first)] = (node.lineno, name)
        self.spans.append((first, node.end_lineno, name))
        if isinstance(node, ast.ClassDef):
            self.classes.append((first, node.end_lineno, node.name))

    def word(self, node):
        if isinstance(node, ast.Name):
            self.words.add(node.id)
        elif isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            self.words.add(node.name)
        elif isinstance(node, ast.Global):
            self.words.update(node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self.words.add(node.name)
        elif isinstance(node, ast.alias):
            self.any = self.any or node.name == "*"
            self.words.add((node.asname or node.name).split(".")[0])
        else:  # what a case captures
            self.words.update(x for x in (getattr(node, "name", None), getattr(node, "rest", None)) if isinstance(x, str))

    def begins(self, line):
        """The line of the statement of which a line is part."""
        return self.inner.get(line, line)

    def may_have(self, name):
        """Says that a global variable of that name is possible."""
        return self.any or name in self.words

    def line_of(self, code):
        """The line at which the definition of a code object's function stands."""
        return self.defined.get((code.co_name, code.co_firstlineno), (code.co_firstlineno,))[0]

    def qualified(self, code):
        """The qualified name of a code object, without "<locals>", which it knows itself from Python 3.11 on."""
        found = self.defined.get((code.co_name, code.co_firstlineno))
        if found is not None:
            return found[1]
        around = self.around(self.spans, code.co_firstlineno) if code.co_name in ANONYMOUS else None
        return "%s.%s" % (around, code.co_name) if around else code.co_name

    def cls(self, code):
        """The class in which a code object is written, None where it is in none."""
        return self.around(self.classes, code.co_firstlineno)

    @staticmethod
    def around(spans, line):
        at = bisect.bisect_right(spans, (line, float("inf"))) - 1
        while at >= 0:
            if spans[at][1] >= line:
                return spans[at][2]
            at -= 1
        return None


def start(node):
    """The line at which a statement begins, an except or a case."""
    if not hasattr(node, "lineno"):
        return node.pattern.lineno
    return min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", ())])


def lines_of(code):
    if hasattr(code, "co_lines"):
        return {line for _, _, line in code.co_lines() if line}
    import dis  # before Python 3.10

    return {line for _, line in dis.findlinestarts(code)}
