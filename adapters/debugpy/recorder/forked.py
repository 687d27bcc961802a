# Goes on noting in the processes that the program forks, each in a folder of its own beside
# the program's files: package recording reads them behind those. So it is where rows are all
# that is wanted, which say by themselves what happened; what is written to where, and in which
# order, is noted of one process only.
import os
import sys

from .notes import ident

MOST = 16  # processes that are followed
NAME = "child-%d"
PROCESS = "pid"  # is written by each of them
FOLLOWS = "follows"  # is there where all of it holds
STARTS = ("subprocess.Popen", "os.posix_spawn", "os.system", "os.exec")  # a program in which nothing is noted
UNSEEN = "the program has started other programs: what they do is not recorded"
NESTED = "a process that the program has forked has forked others: what they do is not recorded"
MORE = "the program has forked more than %d processes: what the others do is not recorded" % MOST
FAILED = "a process that the program has forked could not be recorded"
OUTLIVED = "a process that the program has forked went on when the program had ended: what it did then is not recorded"
ORDER = "what forked processes do is noted behind what the program does: which of it came first is not told"


class Forked:
    def __init__(self, recorder):
        self.recorder, self.notes = recorder, recorder.notes
        self.made, self.numbers = 0, {}  # of threads that are forking: the number of their child, 0 where it is not followed
        self.said = set()
        self.nested = False

    def start(self):
        os.close(os.open(os.path.join(self.notes.records, FOLLOWS), os.O_CREAT | os.O_WRONLY, 0o600))
        self.notes.forks = self
        os.register_at_fork(before=self.prepare)
        sys.addaudithook(self.audit)

    def audit(self, event, arguments):
        if event in STARTS and not self.notes.off:
            self.say(UNSEEN)

    def say(self, text, kind="apart"):
        if text not in self.said:
            self.said.add(text)
            self.notes.remark(text, kind)

    def prepare(self):
        """The program is about to fork."""
        if self.notes.off:
            return
        number = 0
        if self.nested:
            self.say(NESTED)
        elif self.made >= MOST:
            self.say(MORE)
        else:
            self.made += 1
            try:
                os.mkdir(os.path.join(self.notes.records, NAME % self.made), 0o700)
                number = self.made
                self.say(ORDER, "remark")
            except OSError:
                self.say(FAILED)
        self.numbers[ident()] = number

    def forked(self):
        """It has forked."""
        self.numbers.pop(ident(), None)

    def enter(self):
        """This is the child: says whether it is noted what it does."""
        number = self.numbers.pop(ident(), 0)
        if not number or self.notes.off:
            return False
        self.nested, self.said = True, set()
        self.recorder.open.clear()  # what has begun in the program ends there
        try:
            self.notes.begin(NAME % number)
            with open(os.path.join(self.notes.records, PROCESS), "w") as file:
                file.write(str(os.getpid()))
        except OSError:
            return False  # without a file, by which it is told
        return True

    def ended(self):
        """The program ends."""
        if not self.nested and any(self.alive(number) for number in range(1, self.made + 1)):
            self.say(OUTLIVED)

    def alive(self, number):
        try:
            with open(os.path.join(self.notes.records, NAME % number, PROCESS)) as file:
                pid = file.read()
            with open("/proc/%s/stat" % pid) as file:
                return file.read().rpartition(")")[2].split()[0] not in "ZX"
        except (OSError, ValueError):
            return not os.path.isdir("/proc/self")  # who knows


def followed(wish):
    """Says whether rows are all that is wanted."""
    return (
        hasattr(os, "register_at_fork")
        and not any(wish.get(k) for k in ("writes", "first", "lines"))
        and not (wish.get("calls") or {}).get("thin")
        and not any(v.get("places") for v in wish.get("values") or ())
    )
