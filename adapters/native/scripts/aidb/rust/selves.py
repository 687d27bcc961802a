"""Which methods of Rust take what they are called on: those of the library's that are called most, and those that the
program itself has, by their source. Knows no debugger."""

import os
import re

from aidb.record.source import lines

# Of an Option or a Result.
HOLDS = re.compile(r"^core::(?:option::Option|result::Result)<")
TAKES = {
    "map", "map_err", "map_or", "map_or_else", "and", "and_then", "or", "or_else", "ok", "err", "ok_or", "ok_or_else", "filter", "flatten", "zip",
    "unzip", "xor", "transpose", "inspect", "inspect_err", "is_some_and", "is_none_or", "is_ok_and", "is_err_and",
}
JOINED = re.compile(r"^std::thread::(?:\w+::)*(?:Scoped)?JoinHandle<")
MOST = 400  # files of a package that are read
IMPL = re.compile(r"^\s*(?:unsafe\s+)?(?:impl\b(?:\s*<.*?>)?\s+(?:[^{]*?\bfor\s+)?|trait\s+)&?(?:mut\s+)?(?:\w+::)*(?P<type>\w+)")
packages = {}


def takes_self(file, of, method):
    """Says that a method takes the value that it is called on, whose type has a name."""
    if HOLDS.match(of):
        return method in TAKES
    if JOINED.match(of):
        return method == "join"
    last = re.sub(r"<.*", "", of).rsplit("::", 1)[-1]
    found = methods(file).get(method, [])
    own = [takes for type_, takes in found if type_ == last] or [takes for _, takes in found]
    return bool(own) and all(own)


def methods(file):
    """The methods in the package of a file: by their names the types that they are of, and whether they take these."""
    root = package(file)
    if root not in packages:
        packages[root] = found = {}
        for path in sources(root, file):
            read(path, found)
    return packages[root]


def read(path, found):
    type_, text = "", lines(path)
    for n, row in enumerate(text):
        m = IMPL.match(row)
        if m:
            type_ = m.group("type")
        m = re.search(r"\bfn\s+(\w+)", row)
        if m:
            head = " ".join(text[n : n + 4])[m.end() :]
            takes = re.match(r"\s*(?:<[^()]*>)?\(\s*(?:mut\s+)?self\s*[,):]", head)
            if takes or re.match(r"\s*(?:<[^()]*>)?\(\s*&[^,)]*\bself\b", head):
                by_value = takes is not None and not re.match(r".*?\bself\s*:\s*(?:&|Rc\b|Arc\b|Pin\b|Box\b)", head)
                found.setdefault(m.group(1), []).append((type_, by_value))


def package(file):
    """The folder of the package that a file is of; of one that is of none that of the file."""
    at = folder = os.path.dirname(file)
    for _ in range(12):
        if os.path.exists(os.path.join(at, "Cargo.toml")):
            return at
        if os.path.dirname(at) == at:
            break
        at = os.path.dirname(at)
    return folder


def sources(root, file):
    """The package's own sources; of a file without a package that file."""
    if not os.path.exists(os.path.join(root, "Cargo.toml")):
        return [file]
    found = []
    for at, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in ("target", ".git", "node_modules")]
        found += [os.path.join(at, n) for n in names if n.endswith(".rs")]
        if len(found) > MOST:
            break
    return found[:MOST]
