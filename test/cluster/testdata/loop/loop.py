import sys

def mark(i, total):
    return i + total

total = 0
for i in range(1, 100000):
    total += i
    with open(sys.argv[1], "a") as f:
        f.write(f"{i}\n")
    mark(i, total)  # here
