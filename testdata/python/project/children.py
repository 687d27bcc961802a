import multiprocessing
import subprocess
import sys


def work(n):
    square = n * n  # @mark work
    print("worker", square, flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        word = sys.argv[1]  # @mark child
        print(word, flush=True)
        sys.exit(4)
    worker = multiprocessing.Process(target=work, args=(3,))
    worker.start()
    worker.join()
    done = subprocess.run([sys.executable, __file__, "child"])
    print("ended", worker.exitcode, done.returncode)
