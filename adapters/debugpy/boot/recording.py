# Has the program note what the recorder is asked for, from before its own code until the
# debugger stops it first: what is evaluated after that is none of its doing. It is
# executed in each process of the program, before any code of the program's: see
# adapter.py. Only the first one is told where to.
import json
import os
import sys
import threading

import pydevd

# What runs the main code: by file and by module.
RUNNERS = ("run_path", "_run_module_as_main")


def beside(records):
    sys.path.insert(0, records)
    try:
        from aidb_recorder import notes, wishes
    finally:
        sys.path.remove(records)
    with open(os.path.join(records, "wish.json"), encoding="utf-8") as f:
        wish = json.load(f)
    notes.MAIN = threading.main_thread().ident  # this is a thread of the debugger's
    noted = notes.Notes(records, wish["text"])
    recorder = wishes.Recorder(noted, wish)
    recorder.files["pydevd.py"] = pydevd.__file__  # as these scripts are named
    if recorder.possible():
        recorder.start()
        notice_end(recorder.failures)
        pydevd.PyDB.do_wait_suspend = ending(pydevd.PyDB.do_wait_suspend, recorder)


def notice_end(failures):
    """Has it noted how the main code ends, which is yet to run. Up to there nobody but
    the debugger calls its runners; the program finds them as they were."""
    before = [(vars(module), name, vars(module)[name]) for module in map(sys.modules.get, ("runpy", "_pydevd_bundle.pydevd_runpy")) if module for name in RUNNERS]

    def first(run):
        def begin(*args, **named):
            for names, name, was in before:
                names[name] = was
            try:
                return run(*args, **named)
            except BaseException as e:
                failures.ended(e)
                raise

        return begin

    for names, name, was in before:
        names[name] = first(was)


def ending(original, recorder):
    """Stands in for what stops a thread: nothing is noted any more."""

    def do_wait_suspend(self, *args, **named):
        if not recorder.notes.off:
            if recorder.thin is not None:
                recorder.thin.tell_all()
            recorder.notes.end()
            recorder.watch.stop()
        return original(self, *args, **named)

    return do_wait_suspend


asked = os.environ.pop("AIDB_RECORD", None)
if asked is not None:
    beside(asked)
