# Says what a Python interpreter is and whether it could run a program, without
# running anything of the program. It must be readable by old interpreters.
#
# Argument: JSON with "program" (a path), "module" (a dotted name), "find" (names
# of packages). It writes one line of JSON, after a mark.
import sys

here = sys.path.pop(0)  # or a json.py of the program's would be taken for Python's own
import json
import pkgutil
import tokenize
import zipfile

sys.path.insert(0, here)
asked = json.loads(sys.argv[1])
reply = {
    "version": list(sys.version_info[:3]),
    "executable": sys.executable,
    "path": [p for p in sys.path if p],
    "implementation": getattr(getattr(sys, "implementation", None), "name", "cpython"),
}


def check_syntax(path):
    if zipfile.is_zipfile(path):  # the interpreter runs the __main__ that is in it
        return None
    try:
        with open(path, "rb") as f:
            source = f.read()
        compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as e:
        return {"file": e.filename or path, "line": e.lineno or 0, "column": e.offset or 0,
                "text": (e.text or "").strip(), "message": "%s: %s" % (type(e).__name__, e.msg)}
    except (ValueError, OSError, UnicodeError, tokenize.TokenError) as e:
        return {"file": path, "line": 0, "column": 0, "text": "", "message": "%s: %s" % (type(e).__name__, e)}


def find_module(name):
    """Looks a module up as the import system would, but imports none of its packages."""
    from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder

    path, spec, parts = None, None, name.split(".")
    for i, part in enumerate(parts):
        full = ".".join(parts[: i + 1])
        spec = PathFinder.find_spec(full, path)
        if spec is None and i == 0:
            spec = BuiltinImporter.find_spec(full) or FrozenImporter.find_spec(full)
        if spec is None or (i + 1 < len(parts) and spec.submodule_search_locations is None):
            names = [m[1] for m in pkgutil.iter_modules(path)]
            return {"missing": full, "names": names[:2000]}
        path = None if spec.submodule_search_locations is None else list(spec.submodule_search_locations)
    if path is not None:  # a package: it is run by its __main__
        main = PathFinder.find_spec(name + ".__main__", path)
        if main is None:
            return {"package": True, "names": [m[1] for m in pkgutil.iter_modules(path)][:2000]}
        spec = main
    return {"file": spec.origin if spec.has_location else ""}


def main():
    if asked.get("program"):
        reply["syntax"] = check_syntax(asked["program"])
    if asked.get("module"):
        reply["module"] = find_module(asked["module"])
        origin = reply["module"].get("file") or ""
        if origin.endswith(".py"):
            reply["syntax"] = check_syntax(origin)
    for name in asked.get("find", ()):
        reply.setdefault("found", {})[name] = "missing" not in find_module(name)


if sys.version_info >= (3, 8):
    main()
sys.stdout.write("\naidb:" + json.dumps(reply) + "\n")
