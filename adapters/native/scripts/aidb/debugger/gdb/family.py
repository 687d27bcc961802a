"""The processes that a program forks or starts, under gdb: all of them are debugged, stop together and go
together. For gdb's adapter there is one program: its end is told when the last of them has ended."""

import contextlib

import gdb
from gdb.dap import events, threads
from gdb.dap import next as steps
from gdb.dap.server import _commands as requests
from gdb.dap.server import request
from gdb.dap.startup import DAPException, in_gdb_thread

from aidb.debugger.gdb import command

PROGRAM = 1  # gdb's number of the process that it has started itself
MOST = 30  # processes at once: a build starts thousands


class Family:
    own = None  # how the program itself has ended: what is to be done to tell it
    steps = False  # the last resumption was a step
    full = False  # those that are started now are left alone


def ended(event):
    tell = command.ending(event)
    if event.inferior.num == PROGRAM:
        Family.own = tell
    if any(i.pid and i.num != event.inferior.num for i in gdb.inferiors()):
        gdb.post_event(go_on)
    else:
        (Family.own or tell)()


def born(_):
    if not Family.full and sum(1 for i in gdb.inferiors() if i.pid) >= MOST:
        Family.full = True
        gdb.post_event(follow_no_more)


def follow_no_more():
    gdb.execute("set detach-on-fork on")
    events.send_event("output", {
        "category": "important",
        "output": "the program has had %d processes at once: those that were started from then on are not followed\n" % MOST,
    })


def forget(ended):
    """Takes one that has ended off gdb's list, which may become long. The chosen one cannot be taken, and
    another one not at each moment: then it stays."""
    if ended.num != PROGRAM and ended.num != gdb.selected_inferior().num:
        with contextlib.suppress(gdb.error):
            gdb.execute("remove-inferiors %d" % ended.num)


def go_on():
    """The end of one has stopped all others. A step that it has cut short ends where the others stand."""
    living = [i for i in gdb.inferiors() if i.pid and i.threads()]
    if living:
        living[0].threads()[0].switch()
    for inferior in gdb.inferiors():
        if not inferior.pid:
            forget(inferior)
    if not Family.steps:
        for inferior in living:  # one that is just ending cannot be gone on from
            with contextlib.suppress(gdb.error, DAPException):
                inferior.threads()[0].switch()
                events.exec_and_expect_stop("continue &")
                return
    if living:
        events.inferior_running = False
        events.send_event("stopped", {
            "threadId": living[0].threads()[0].global_num, "allThreadsStopped": True, "reason": "step" if Family.steps else "pause",
        })


def resuming(execute):
    def run(cmd, *more, **named):
        Family.steps = not cmd.startswith("continue")
        return execute(cmd, *more, **named)
    return run


@in_gdb_thread
def all_threads(**_):
    found = [(i, t) for i in gdb.inferiors() for t in i.threads()]
    return {"threads": [
        {"id": t.global_num, "name": threads._thread_name(t) + (", process %d" % i.pid if i.num != PROGRAM else "")} for i, t in found
    ]}


def arrange():
    gdb.execute("set detach-on-fork off")
    gdb.execute("set schedule-multiple on")
    gdb.events.exited.disconnect(command.ended)
    gdb.events.exited.connect(ended)
    gdb.events.new_inferior.connect(born)
    steps.exec_and_expect_stop = resuming(steps.exec_and_expect_stop)
    del requests["threads"]
    request("threads", expect_stopped=False)(all_threads)


arrange()
