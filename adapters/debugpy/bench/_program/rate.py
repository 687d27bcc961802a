import sys


def run(n):
    total = 0
    for i in range(n):
        total += i
    return total


print(run(int(sys.argv[1])))
