import sys
import time


def tick(n):
    m = n + 1  # @mark tick
    return m


n = 0
print("ready", flush=True)
while "stop" not in sys.argv:
    n = tick(n)
    time.sleep(0.02)
