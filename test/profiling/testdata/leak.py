# Keeps what it should forget, and forgets the rest.
import sys

KEPT = {}


class Session:
    def __init__(self, number):
        self.number = number
        self.text = "x" * 100 + str(number)


class Request:
    def __init__(self, session):
        self.session = session


def remember(number):
    session = Session(number)
    KEPT["user-%d" % number] = session
    return session


def forget(session):
    return Request(session)


def main():
    for number in range(4000):
        forget(remember(number))
    print("kept=%d" % len(KEPT), flush=True)
    sys.exit(3)


main()
