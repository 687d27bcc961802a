"""Adds squares up in another process."""
import multiprocessing
import os


def square(n):
    result = n * n
    return os.getpid(), result  # @mark square


def main():
    with multiprocessing.Pool(1) as pool:
        done = pool.map(square, [3, 4])
    print("in another process:", all(pid != os.getpid() for pid, _ in done))
    print("sum:", sum(result for _, result in done))


if __name__ == "__main__":
    main()
