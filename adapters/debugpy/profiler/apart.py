# Loads the profiler's modules where nobody but us finds them: a program that goes through
# sys.modules while one is put there, or taken away, would fail.


def load(folder, name):
    """A module of the profiler's, with those that it imports from there."""
    import builtins
    import os
    import sys

    loaded = {}

    def of(name):
        if name not in loaded:
            file = os.path.join(folder, name + ".py")
            module = loaded[name] = type(sys)("aidb_profiler." + name)
            vars(module).update(__file__=file, __builtins__=dict(vars(builtins), __import__=find))
            with open(file, encoding="utf-8") as f:
                exec(compile(f.read(), file, "exec"), vars(module))
        return loaded[name]

    def find(name, globals=None, locals=None, fromlist=(), level=0):
        if not level:
            return builtins.__import__(name, globals, locals, fromlist, level)
        if name:
            return of(name)
        package = type(sys)("aidb_profiler")
        for part in fromlist:
            setattr(package, part, of(part))
        return package

    return of(name)
