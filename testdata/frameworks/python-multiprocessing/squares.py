"""Adds squares up in another process."""
import multiprocessing
import os


def add(numbers, results):
    me = multiprocessing.current_process().name
    for n in numbers:
        results.put((os.getpid(), me, n * n))  # @mark square


def main():
    results = multiprocessing.Queue()
    worker = multiprocessing.Process(target=add, args=([3, 4], results), name="worker")
    worker.start()
    done = [results.get() for _ in range(2)]
    worker.join()
    print("in another process:", all(pid != os.getpid() for pid, _, _ in done))
    print("sum:", sum(square for _, _, square in done))


if __name__ == "__main__":
    main()
