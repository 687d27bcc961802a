# The program that the benchmark debugs: a loop to step through, then an error.


def average(marks, rounds):
    total = 0
    for i in range(rounds):
        mark = marks[i % len(marks)]
        total += mark
    return total / marks[len(marks)]


print("average:", average([3, 1, 4, 1, 5], 200))
