# See testdata/go/pest: surrounds itself with processes, ignores signals, stays.
import signal
import subprocess
import sys
import time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
subprocess.run(["sh", "pest.sh", *sys.argv[2:]])
print("ready", flush=True)
ticks = 0
while sys.argv[1] != "exit" or ticks < 3:
    ticks += 1  #@mark stop
    time.sleep(0.01)
