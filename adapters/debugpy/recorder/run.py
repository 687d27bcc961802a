# Runs a program under the recorder: run.py RECORDS script|module NAME ARGUMENT...
# It stands in for the interpreter's own start: the program finds sys.argv, sys.path
# and __main__ as that would leave them.


def main():
    import json
    import os
    import sys

    here, records, kind, name = os.path.dirname(os.path.abspath(__file__)), sys.argv[1], sys.argv[2], sys.argv[3]
    sys.argv = [name] + sys.argv[4:]
    os.environ.pop("AIDB_RECORD", None)  # its children are not recorded
    sys.path[0] = os.path.dirname(here)
    from aidb_recorder import notes, wishes

    with open(os.path.join(records, "wish.json"), encoding="utf-8") as f:
        wish = json.load(f)
    noted = notes.Notes(records, wish["text"])
    sys.path[0] = os.path.dirname(os.path.realpath(name)) if kind == "script" else os.getcwd()
    recorder = wishes.Recorder(noted, wish)
    if not recorder.possible():
        os._exit(0)
    from aidb_recorder import program  # before anything is watched, with what it needs

    scope = cleared(sys.modules)
    recorder.start()
    try:
        program.run(kind, name, scope)
    except BaseException as e:
        recorder.failures.ended(e)
        raise


def cleared(modules):
    """The program's __main__, without what is ours in it."""
    scope = modules["__main__"].__dict__
    for key in [k for k in scope if k not in ("__name__", "__builtins__")]:
        del scope[key]
    return scope


main()
