import sys
import threading

lock = threading.Lock()


def take():
    with lock:  # @mark take
        print("taken")


lock.acquire()
threading.Thread(target=take, name="taker").start()
sys.stdin.readline()  # @mark reads
lock.release()  # @mark release
