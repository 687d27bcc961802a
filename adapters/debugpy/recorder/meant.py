# Which of the program's functions the names of a wish mean.
import ast
import fnmatch
import os
import re

from . import nearest
from . import notes as n

COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
OPTIMIZED = 1  # flag of a function's code, and not of a class's body or a module's
INIT = re.compile(r"\.(?:__init__|__new__)$")
OURS = os.path.realpath(n.OURS) + os.sep


class Meant:
    def __init__(self, roots):
        self.roots = roots  # of the user's code
        self.files = {}  # co_filename: real path
        self.user = {}  # real path: whether it is the user's code
        self.modules = {}  # real path: dotted name
        self.matched = set()  # the names that were asked for of which something is there
        self.qualnames = {}  # real path: {(name, first line): qualified name}
        self.defined = None  # the names of the functions that the user's files define
        self.words = None  # the last words of those, and of the classes that have a constructor
        self.aside = {}  # a name of one word: the libraries' functions of that name, which it does not mean

    def path(self, code):
        name = code.co_filename
        found = self.files.get(name)
        if found is None:
            found = self.files[name] = os.path.realpath(name)
        return found

    def users(self, code):
        path = self.path(code)
        found = self.user.get(path)
        if found is None:
            found = self.user[path] = not code.co_filename.startswith("<") and any(
                path.startswith(root + os.sep) and os.sep + "site-packages" + os.sep not in path[len(root) :] for root in self.roots)
        return found

    def matches(self, code, names):
        own = getattr(code, "co_qualname", None) or self.qualified(code, names)
        own = own.replace(".<locals>", "")
        found = [x for x in names if self.named_so(self.path(code), own, [x], lambda: self.users(code)) and not self.goes_before(x, code, own)]
        self.matched.update(found)
        return bool(found)

    def qualified(self, code, names):
        """Before Python 3.11 a code object knows its own name only."""
        if not any("." in name for name in names) or not self.users(code):
            return code.co_name
        path = self.path(code)
        if path not in self.qualnames:
            self.qualnames[path] = {}
            try:
                with open(path, "rb") as f:
                    nearest.lines(ast.parse(f.read()), "", self.qualnames[path])
            except (OSError, SyntaxError, ValueError):
                pass
        return self.qualnames[path].get((code.co_name, code.co_firstlineno), code.co_name)

    def named_so(self, path, own, names, users):
        """Says whether a function of a file is meant by one of the names. The recorder's
        own, which the program runs too, are no part of it."""
        if path.startswith(OURS):
            return False
        module = self.module(path)
        whole = module + "." + own if module else own
        made = INIT.sub("", whole)  # what makes an object goes by the name of its class, too
        for name in names:
            if name == path or name.endswith(".py") and path.endswith(os.sep + name):
                return True
            if "*" in name:
                if (fnmatch.fnmatchcase(own, name) or fnmatch.fnmatchcase(whole, name)) and users():
                    return True
            elif ("." + whole).endswith("." + name) or ("." + made).endswith("." + name):
                return True
            elif (module == name or module.startswith(name + ".")) and not self.function(name):
                return users()
        return False

    def function(self, name):
        """Says that a name is a function's of the user's code, and so no module's."""
        if self.defined is None:
            self.defined = {own for _, own in nearest.functions(self.roots)}
        return name in self.defined

    def goes_before(self, name, code, own):
        """Says that a name of one word means the user's functions, and not this one of a library."""
        if not name.isidentifier() or self.users(code):
            return False
        if self.words is None:
            self.words = {INIT.sub("", own).split(".")[-1] for _, own in nearest.functions(self.roots)}
        if name not in self.words:
            return False
        self.aside.setdefault(name, set()).add(".".join(x for x in (self.module(self.path(code)), own) if x))
        return True

    def told_aside(self):
        """What else goes by the names that were asked for, in words."""
        return ["%s means your own functions; what libraries call so is asked for by a longer name: %s" % (name, ", ".join(sorted(others)[:3]) + (", …" if len(others) > 3 else ""))
                for name, others in self.aside.items()]

    def near(self, names, defined):
        """What is defined and perhaps meant by names that nothing has."""
        classes = nearest.classes(self.roots)
        made = [x for x in names if x.split(".")[-1] in classes]
        if made:
            return "; " + "; ".join(x + unmade(classes, x.split(".")[-1]) for x in made)
        near = [x for x in (nearest.like(name.split(".")[-1].strip("*") or name, {own.split(".")[-1]: 0 for _, own in defined}) for name in names) if x]
        return "; there is " + "; ".join(near) if near else ""

    def module(self, path):
        """The dotted name of a file, as it is imported."""
        found = self.modules.get(path)
        if found is not None:
            return found
        base, name = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
        parts = [] if name == "__init__" else [name]
        while os.path.exists(os.path.join(base, "__init__.py")) and base != os.path.dirname(base):
            parts.insert(0, os.path.basename(base))
            base = os.path.dirname(base)
        self.modules[path] = ".".join(parts)
        return self.modules[path]


def called(code):
    """Says that what runs a code object is a call, to people."""
    return code.co_flags & OPTIMIZED and code.co_name not in COMPREHENSIONS


def unmade(classes, name):
    """Why the making of a class's objects is no call that is seen."""
    of = [x.strip() for x in classes[name].split(",") if x.strip().split(".")[-1] in classes]
    return " is a class that defines no __init__ or __new__ of its own" + (": ask for that of what it derives from, " + " or ".join(of) if of else "")
