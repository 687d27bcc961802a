"""Names of functions as people write them: with or without the path, the generic
arguments, the crate's hash. Knows no debugger."""

import re
from typing import List

LIBRARY = re.compile(
    r"^/usr/(include|lib|src)|/usr/include/|^/build/|/(glibc|gcc|libstdc\+\+)[-/]|^/rustc/|^/rust/deps/|/rustlib/src/rust/|/\.cargo/(registry|git)/|^library/|^\.\./sysdeps|^\./"
)
FOLDERS: List[str] = []  # of the user's own code that lies where the code of libraries does, each with "/" at its end
# the functions of a test framework, which is often built as part of the user's own project
FRAMEWORK = re.compile(
    r"^(?:(?:testing|Catch|doctest)::"
    r"|Unity(?:Assert\w*|Fail\w*|TestResults\w*|Print\w*|Message|Ignore|Begin|End|Concat\w*|DefaultTestRun|AddMsgIfSpecified|Is\w*|Shorthands\w*)$)")
HASH = re.compile(r"::h[0-9a-f]{16}$")
ABI = re.compile(r"\[abi:\w+\]")  # the compiler's mark, for a library whose types have changed
TEST = re.compile(r"(?:^|::)([A-Za-z0-9]+)_([A-Za-z0-9]+)_Test::TestBody\b")
THUNK = "thunk to "  # in the name of what only leads to a virtual function from another of an object's bases
CLOSURE = re.compile(r"\{+closure(?:[#$_]\w*)?\}+")
SIGNS = (("$LT$", "<"), ("$GT$", ">"), ("$u20$", " "), ("$RF$", "&"), ("$C$", ","), ("$u5b$", "["), ("$u5d$", "]"), ("$u7b$", "{"), ("$u7d$", "}"), ("..", "::"))


def library(file: str, pattern=LIBRARY) -> bool:
    """Says that a source is not the user's."""
    return pattern.search(file) is not None and not file.startswith(tuple(FOLDERS))


def closing(text: str, at):
    """Where the bracket that opens at a place closes; the text's end when it does not. Within parentheses
    "<" and ">" may compare: what is not closed there was no bracket, nor what closes none."""
    open_: List[str] = []
    for i in range(at, len(text)):
        sign = text[i]
        if sign in "<(":
            open_.append(sign)
        elif sign == ")":
            while open_ and open_.pop() != "(":
                pass
        elif sign == ">" and text[i - 1 : i] != "-" and open_ and open_[-1] == "<":
            open_.pop()
        if not open_:
            return i
    return len(text)


def paths(name):
    """The ways to name a function, each as its parts without generic arguments:
    <A as B>::f is a part of A and one of B."""
    name = CLOSURE.sub("{closure}", name.strip())
    found, at = [()], 0
    while at < len(name):
        if name.startswith(("<lambda", "{lambda"), at):  # as gdb writes it
            return [p + ("'lambda'",) for p in found]
        if name[at] == "<":
            end = closing(name, at)
            if not found[0] or name[max(at - 2, 0) : at] == "::" and name[at + 1 : end].startswith("impl "):
                found = [p for part in parts_of_type(name[at + 1 : end]) for p in paths(part)] or [()]
            at = end + 1
            continue
        if name.startswith("::", at):
            at += 2
            continue
        if name.startswith("(anonymous namespace)", at):
            at += len("(anonymous namespace)")
            continue
        if name[at] == "(":
            at = within(name, at, found[0])
            if not at:
                break
            continue
        word = WORD.match(name, at).group(0)
        at += len(word)
        if word.strip() == "decltype" and name[at : at + 1] == "(":  # the type that it gives
            at = closing(name, at) + 1
            continue
        if word.isspace():  # between an operator and its generic arguments
            continue
        if " " in word and not word.startswith("operator"):  # the type that it gives is before it
            found, word = [()], word.rsplit(" ", 1)[1].lstrip("*&")
        found = [p + (word.strip(),) for p in found] if word else found
    return [p[1:] if p[:1] == ("crate",) else p for p in found]


# A part of a name: an operator with its sign, or the type that it converts to.
OPERATOR = r"operator\b *(?:\(\)|\[\]|->\*?|<=>|<<=|>>=|<<|>>|&&|\|\||\+\+|--|[-+*/%^&|=!<>]=|[-+*/%^&|~!=<>,]|[^(]+)"
WORD = re.compile(OPERATOR + r"|(?:(?!\boperator\b)[^<(:])+|:")
QUALIFIED = re.compile(r"(?: const| volatile| ?&{1,2}| noexcept)*(?=::)")


def within(name: str, at: int, path) -> int:
    """Where a name goes on behind the parameters that begin at a place: what a function has within it is named by
    all of its own name. 0 where it ends there, and behind a lambda, whose call has no other name."""
    depth, end = 0, at
    for end in range(at, len(name)):
        depth += (name[end] == "(") - (name[end] == ")")
        if depth == 0:
            break
    rest = QUALIFIED.match(name, end + 1)
    return rest.end() if path and not path[-1].startswith("'lambda") and rest else 0


def parts_of_type(text: str):
    """The types of "A as B", of "impl B for A" and of plain A."""
    text = re.sub(r"^impl ", "", text)
    for word in (" as ", " for "):
        depth = 0
        for i, c in enumerate(text):
            depth += (c == "<") - (c == ">")
            if depth == 0 and text.startswith(word, i):
                return [bare_type(text[:i]), bare_type(text[i + len(word) :])]
    return [bare_type(text)]


def bare_type(text: str):
    return re.sub(r"^(?:&|\*|'\w+ |mut |const |dyn |\()+", "", text.strip())


def means(wanted, name: str) -> bool:
    """Says that a function with this name is what was asked for."""
    have = paths(name)
    have += [("std",) + p[1:] for p in have if p[:1] in (("alloc",), ("core",))]  # where Rust's std takes it from
    return all(any(p[-len(w) :] == w for p in have) for w in paths(wanted) if w)


def plain(name: str):
    name = ABI.sub("", HASH.sub("", name or ""))
    if "$" in name:
        name = name.replace("::_$", "::$").lstrip("_")
        for sign, meaning in SIGNS:
            name = name.replace(sign, meaning)
    return name


def generic(wanted):
    """The generic arguments at the end of a name, if it has any: they choose among
    the kinds of one function."""
    m = re.search(r"\w(?:::)?(<.*>)$", wanted.strip())
    return m.group(1).replace(" ", "") if m else ""


def test_of(function: str):
    """The test of GoogleTest whose body a function is, as that names it; empty where it is none, or
    where the names of suite and test cannot be told apart."""
    m = TEST.search(function)
    return "%s.%s" % m.groups() if m else ""
