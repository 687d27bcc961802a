"""Which variables of Rust were moved away before the line where a frame stands. Nothing of that is in the debug
information, and what still lies in their place is another's, or given back: it is read in the source. A variable that
is named further on has not been moved, or the compiler had refused it. Knows no debugger."""

import re

from aidb.debugger.interface import Nonsense, RustValue
from aidb.record.source import TEXT, lines
from aidb.rust.selves import takes_self

LONG = 400  # lines of a function that are looked at
CONSUMES = re.compile(r"into_\w+|unwrap\w*|expect")
LEAVES = re.compile(r"(?:^|[;{}])\s*(?:return|continue|panic!|unreachable!|todo!|bail!|(?:std::)?process::exit)(?![\w])[^;{}]*;?\s*$")
CLOSURE = re.compile(r"\bmove\s*(?:\|[^|]*\|)?")
OWNER = re.compile(r"(?<![&*\w:])(?<!mut )(?<!const )(?:alloc|hashbrown|std::(?:collections|sync|fs|net|process|thread|path|ffi))::(?!\w*::?Iter)\w")
# The head of a structure that is made, in which a name alone is that of a field too.
BUILDS = re.compile(r"(?<![\w>:])(?:\w+::)*[A-Z]\w*(?:::<[^<>]*>)?$")
DECLARES = re.compile(r"\b(?:impl|struct|for|match|in|enum|trait|union)\s+$|->\s*$")  # what then stands in front of it
# What in a pattern is no name that it binds by value: paths, fields, literals, what is bound by reference.
UNBOUND = re.compile(
    r"\bref\s+(?:mut\s+)?\w+|\b\w+\s*(?:::|:(?!:)|\(|\{)|::\s*\w+|\b(?:mut|true|false|if|_)\b|\"[^\"]*\"|'[^']*'|\b\d\w*|\b[A-Z]\w*")
COMMENT = re.compile(r"//.*$|/\*.*?\*/")
CLOSES = {"(": ")", "[": "]", "{": "}"}
DEEP = 3  # structures in which an owner is looked for


def gone(v: RustValue, place, declared):
    """What of a variable may not be read any more: the fields of each part, as names, with why. Both places are a
    file and a line: where the frame stands, and where the variable is declared."""
    if place[0] != declared[0] or not 0 < declared[1] < place[1] < declared[1] + LONG:
        return {}
    key = (*declared, place[1], v.name, v.type.name)
    if key not in known:
        if len(known) > MOST:
            known.clear()
        known[key] = Source(*key[:4], lambda path: type_of(within(v, path))).moved()
    return {path: why for path, why in known[key].items() if owns(within(v, path))}


def type_of(v):
    return v.type.name if v is not None else ""


MOST = 4096  # variables at a line, of which is kept what the source says
known = {}


def of_all(parts):
    """What is shown in the place of a variable; empty where nothing of it is gone."""
    if () in parts:
        return "<%s>" % parts[()]
    return "<in part %s>" % "; ".join("%s: .%s" % (why, ".".join(path)) for path, why in parts.items()) if parts else ""


def asked(parts, path):
    """Why what an expression names of a variable cannot be read; empty where it can."""
    met = (".".join(("", *part)) + " was " * bool(part) + why for part, why in parts.items() if part == path[: len(part)] or path == part[: len(path)])
    return next(met, "")


def within(v, path):
    for name in path:
        v = v.member("__" + name if name.isdigit() else name) if v is not None else None
    return v


def owns(v, depth=0):
    """Says that a value has memory of its own, so that its type is surely none of those that are copied."""
    if v is None or v.type.code not in ("record", "union"):
        return False
    try:
        if v.type.tagged:  # of an enum that which its variant holds
            v = v.variant()
            return depth < DEEP and any(owns(v.part(i), depth + 1) for i in range(min(v.count, 30)))
        if OWNER.search(v.type.name):
            return True
        return depth < DEEP and any(owns(v.part(i), depth + 1) for i in range(min(v.count, 30)))
    except (Nonsense, AttributeError, ValueError):
        return OWNER.search(v.type.name) is not None


class Source:
    """The block in which a variable is in sight, from its declaration on."""

    def __init__(self, file, first, stop, name, type_of=lambda path: ""):
        self.file, self.type_of = file, type_of  # of a part of the variable, by its fields
        rows = [TEXT.sub(hidden, COMMENT.sub(blank, row)) for row in lines(file)[first - 1 : first - 1 + LONG]]
        self.text, self.first, self.name = "\n".join(rows), first, name
        self.stop = sum(len(row) + 1 for row in rows[: stop - first])
        self.mention = re.compile(r"(?<![\w.])%s\b(?!\s*:(?!:))" % re.escape(name))

    def moved(self):
        own = re.search(r"(?<![\w.])%s\b" % re.escape(self.name), self.text.split("\n", 1)[0])
        if own is None:
            return {}
        self.plain = re.search(r"^\s*let\b", self.text) is not None
        begin, found = self.end(own.end()) if self.plain else own.end(), {}
        self.others = list(self.other(begin))
        for at, path in self.moves(begin):
            why = self.why(at, path)
            if why:
                found[path] = why
        return found

    def other(self, begin):
        """The pieces in which the name is another variable's."""
        name = re.escape(self.name)
        for m in re.compile(r"\b(?P<let>let)\b[^=;]*\b%s\b[^=;]*=(?!=)|\bfor\b[^{;]*?\b%s\b[^{;]*?\bin\b" % (name, name)).finditer(self.text, begin):
            if m.group("let") and not re.search(r"\b(?:if|while)\s*$|&&\s*$", self.text[: m.start()]):
                opener = self.brace(m.start())
                yield self.end(m.end()), self.close(opener) if opener is not None else self.unopened(m.end())
            else:
                opener = self.text.find("{", m.end())
                yield opener, self.close(opener)
        for m in re.compile(r"\|[^|\n]*\b%s\b[^|\n]*\||[({,]\s*%s\b[^;{}()=]*[)}][)}\s]*(?:if\b[^;{}=]*)?=>" % (name, name)).finditer(self.text, begin):
            yield m.start(), self.end(m.end())

    def mentions(self, pattern, start, end):
        """Where the variable is named between two places."""
        return (m for m in pattern.finditer(self.text, start, end) if not any(a <= m.start() < b for a, b in self.others))

    def moves(self, own):
        """Where the variable, or a part of it, is given away before the line of the stop."""
        for m in self.mentions(self.mention, own, self.stop):
            rest = re.compile(r"(?:\.\w+)*").match(self.text, m.end())
            path, after = tuple(rest.group(0).split(".")[1:]), self.text[rest.end():].lstrip()
            method = ""
            if path and re.match(r"\(|::<", after):
                method, path = path[-1], path[:-1]
            closure = self.closure(own, m.start())
            if closure is not None:
                if not closure[0] <= self.stop < closure[1]:
                    yield closure[0], path
            elif method:
                if CONSUMES.fullmatch(method) or takes_self(self.file, self.type_of(path), method):
                    yield m.start(), path
            elif (opener := self.matched(m.start(), after)) is not None:
                yield from ((at, path) for at in opener)
            elif self.given(m.start(), after):
                listed = self.text[: m.start()].rstrip()[-1:] in (",", ":", "{")  # where braces around it are a structure that is made from it
                opener = self.opener(m.start()) if listed else None
                yield opener if opener is not None and self.text[opener] == "{" else m.start(), path
            elif after.startswith("?"):
                yield m.start(), path

    def matched(self, at, after):
        """Where what a variable holds is bound to other names by value, of which each is a place behind the pattern that
        does so; None where the variable is not what patterns are held against."""
        head = re.search(r"\b(?:(?P<let>let)\b(?P<pattern>(?:[^=;]|=>)*?)=|match)$", self.text[:at].rstrip())
        if head is None or not after.startswith("{") and not re.match(r"else\b|&&", after):
            return None
        if after.startswith("else"):
            return [at] if binds(head.group("pattern")) else []
        opener = self.text.find("{", at)
        if head.group("let"):
            return [opener + 1] if binds(head.group("pattern")) else []
        end, places, begin = self.close(opener), [], opener + 1
        while begin < end:
            arrow = self.text.find("=>", begin, end)
            if arrow < 0:
                break
            body = arrow + 2 + len(self.text[arrow + 2 : end]) - len(self.text[arrow + 2 : end].lstrip())
            if binds(re.split(r"\bif\b", self.text[begin:arrow])[0]):
                places.append(body + 1 if self.text[body : body + 1] == "{" else body)
            begin = self.close(body) + 1 if self.text[body : body + 1] == "{" else self.end(body) + 1
            if self.text[begin : begin + 1] == ",":
                begin += 1
        return places

    def closure(self, own, at):
        """The closure in which a place lies that takes what it names; None where it lies in none."""
        for m in CLOSURE.finditer(self.text, own, at):
            end = self.end(m.end())
            if at < end:
                return m.start(), end
        return None

    def end(self, at):
        """Where an expression ends."""
        depth = 0
        for i in range(at, len(self.text)):
            c = self.text[i]
            depth += (c in "([{") - (c in ")]}")
            if depth < 0 or depth == 0 and c in ",;}":
                return i
        return len(self.text)

    def given(self, at, after):
        """Says that a variable is given away as a value where it stands."""
        before, last = self.text[:at].rstrip(), after[:1]
        if re.search(r"\bin$", before):
            return last == "{"
        if re.search(r"(?<![=!<>+\-*/%&|^])=$", before):
            return last == ";" and not re.search(r"\b_\s*=$", before)
        if before[-1:] not in ("(", ",", "[", ":", "{") or last not in (",", ")", "]", "}") or before.endswith("::"):
            return False
        opener = self.opener(at)
        if opener is None:
            return False
        closed = self.text[self.close(opener) + 1:].lstrip()
        if re.match(r"=(?!=)|\||if\b", closed):  # a pattern
            return False
        head = self.text[:opener].rstrip()
        if self.text[opener] == "{":
            made = BUILDS.search(head)
            return before.endswith(":") or made is not None and not DECLARES.search(head[: made.start()])
        return not head.endswith("!") or re.search(r"\b(?:vec|dbg)!$", head) is not None

    def opener(self, at):
        """The bracket that is open at a place."""
        depth = 0
        for i in range(at - 1, -1, -1):
            depth += (self.text[i] in ")]}") - (self.text[i] in "([{")
            if depth < 0:
                return i
        return None

    def close(self, opener):
        """Where a bracket is closed."""
        depth = 0
        for i in range(opener, len(self.text)):
            depth += (self.text[i] in "([{") - (self.text[i] in ")]}")
            if depth == 0:
                return i
        return len(self.text)

    def why(self, at, path):
        """Why a part is not there any more at the stop that was given away at a place; empty where it is."""
        line = self.text.count("\n", 0, at) + self.first
        named = re.compile(self.mention.pattern + r"\s*".join([""] + [r"\." + re.escape(x) for x in path]) + r"(?!\w)")
        sure = None
        for start, end, first in self.reached(at):
            again = re.compile(r"(?<!let )(?<!mut )" + named.pattern + r"\s*=(?!=)").search(self.text, self.statement(start), min(end, self.stop))
            if again:
                return ""
            if start <= self.stop < end:
                sure = first
            if sure is not None and self.used(named, max(start, self.stop), end):
                return ""
        if sure is None:
            return ""
        return "moved away in line %d" % line if sure else "may have been moved away in line %d" % line

    def used(self, named, start, end):
        """Says that a variable is read between two places, before it has another value."""
        found = next(self.mentions(named, start, end), None)
        return found is not None and not re.match(r"\s*=(?!=)", self.text[found.end():])

    def reached(self, at):
        """The pieces of the text that are run after a place, and whether each is surely run after it: not the other branches of
        what it lies in, and nothing behind a block that it leaves by."""
        first, start, begin = True, at, self.statement(at)
        while True:
            opener = self.brace(start)
            end = self.close(opener) if opener is not None else self.unopened(start)
            if opener is None or not self.is_match(opener):
                yield start, end, first
            if end >= len(self.text) or LEAVES.search(self.text[begin:end]):
                return
            first, start = False, self.behind(end + 1)
            begin = start
            if opener is None or not self.plain and not re.search(r"[;{}]", self.text[:opener]):
                return  # where the variable is not in sight any more

    def statement(self, at):
        """Where the statement begins that a place lies in."""
        return max(self.text.rfind(c, 0, at) for c in ";{}") + 1

    def brace(self, at):
        """The brace that is open at a place; None where that is before the declaration."""
        depth = 0
        for i in range(at - 1, -1, -1):
            depth += (self.text[i] == "}") - (self.text[i] == "{")
            if depth < 0:
                return i
        return None

    def unopened(self, at):
        """Where a block ends that began before the declaration."""
        depth = 0
        for i in range(at, len(self.text)):
            depth += (self.text[i] == "{") - (self.text[i] == "}")
            if depth < 0:
                return i
        return len(self.text)

    def is_match(self, opener):
        return re.search(r"\bmatch\b[^;{}]*$", self.text[:opener]) is not None

    def behind(self, at):
        """What follows a block, its other branches left out."""
        while re.match(r"\s*else\b", self.text[at:]):
            opener = self.text.find("{", at)
            if opener < 0:
                break
            at = self.close(opener) + 1
        return at


def binds(pattern):
    """Says that a pattern gives what it is held against, or a part of it, to another name."""
    return re.search(r"\b[a-z_]\w*", UNBOUND.sub(" ", pattern)) is not None


def hidden(m):
    """A text of the source, of which stays what names variables."""
    text = m.group(0)
    return "".join(re.findall(r"\{\w+", text)).replace("{", " ").ljust(len(text))[: len(text)] if "{" in text else '"' + "_" * (len(text) - 2) + '"'


def blank(m):
    return " " * len(m.group(0))
