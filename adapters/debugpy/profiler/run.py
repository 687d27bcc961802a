# Runs a program while it is profiled: run.py DIRECTORY script|module NAME ARGUMENT...
# It stands in for the interpreter's own start: the program finds sys.argv, sys.path
# and __main__ as that would leave them.


def main():
    import json
    import os
    import sys

    here, directory, kind, name = os.path.dirname(os.path.abspath(__file__)), sys.argv[1], sys.argv[2], sys.argv[3]
    sys.argv = [name] + sys.argv[4:]
    ours = {}
    with open(os.path.join(here, "apart.py"), encoding="utf-8") as f:
        exec(f.read(), ours)
    driver, program = ours["load"](here, "driver"), ours["load"](here, "program")
    with open(os.path.join(directory, "wish.json"), encoding="utf-8") as f:
        wish = json.load(f)
    sys.path[0] = os.path.dirname(os.path.realpath(name)) if kind == "script" else os.getcwd()
    scope = sys.modules["__main__"].__dict__
    for key in [k for k in scope if k not in ("__name__", "__builtins__")]:
        del scope[key]  # the program's __main__, without what is ours in it
    driver.Driver(directory, wish).begin()
    program.run(kind, name, scope)


main()
