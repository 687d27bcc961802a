# Keeps debugpy from describing the environment right before the program runs, for a log
# that nobody has asked for: it reads what is said of every package that is installed, with
# each of its own lines watched as if it were the program's. That takes a second and more.
# It is executed in each process of the program, before any code of the program's: see
# adapter.py.
import sys

log = sys.modules.get("debugpy.common.log")
if getattr(log, "log_dir", "") is None:
    log.describe_environment = lambda header: None
