# Runs a program under the recorder: run.py RECORDS script|module NAME ARGUMENT...
# It stands in for the interpreter's own start: the program finds sys.argv, sys.path
# and __main__ as that would leave them.
import json
import os
import sys


def main():
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
    import runpy  # before anything is watched

    start(recorder, noted)
    if kind == "module":
        runpy._run_module_as_main(name)
    elif os.path.isdir(name) or name.endswith(".zip") or name.endswith(".pyz"):
        sys.path[0] = name
        runpy._run_module_as_main("__main__", alter_argv=False)
    else:
        script(name)


def start(recorder, noted):
    import atexit
    from aidb_recorder import notes

    def ended():
        if noted.off:
            return
        with notes.Apart(noted):
            recorder.end()
        if recorder.watch.lost():
            noted.remark("the program has set a trace function of its own, as coverage does: after that nothing was noted")
        if any(m in sys.modules for m in ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver", "multiprocessing.popen_spawn_win32")):
            noted.remark("the program has started other processes by multiprocessing: what they do is not recorded")

    atexit.register(ended)
    recorder.start()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=recorder.watch.stop)


def script(name):
    module = sys.modules["__main__"]
    scope = module.__dict__
    for key in [k for k in scope if k not in ("__name__", "__builtins__")]:
        del scope[key]
    with open(name, "rb") as f:
        source = f.read()
    scope.update(__file__=name, __doc__=None, __package__=None, __spec__=None, __loader__=None, __cached__=None)
    exec(compile(source, name, "exec", dont_inherit=True), scope)


main()
