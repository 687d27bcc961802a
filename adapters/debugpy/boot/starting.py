# Stands around what runs the program's main code. The debugger's own process executes it
# in front of what needs it: see adapter.py.
import sys


def around_main(runners, around):
    """Has what runs the main code called within something of ours, once: it is yet to run.
    Up to there nobody but the debugger calls its runners, which are given as names of modules
    and of what is in them; the program finds them as they were."""
    found = [(vars(sys.modules[module]), name) for module, name in runners if module in sys.modules]
    before = [(names, name, names.get(name)) for names, name in found]

    def first(run):
        def begin(*args, **kwargs):
            for names, name, was in before:
                if was is None:
                    names.pop(name, None)
                else:
                    names[name] = was
            return around(run)(*args, **kwargs)

        return begin

    for names, name, was in before:
        names[name] = first(was or eval)
