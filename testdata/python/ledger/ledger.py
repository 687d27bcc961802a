# Ledger is a program whose values come from elsewhere, for questions about how.
import sys
import threading


class Account:
    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance  #@mark opened


class Book:
    def __init__(self):
        self.accounts = {}
        self.limits = [0] * 100
        self.fees = 0

    def pay(self, name, amount):
        global payments
        account = self.accounts[name]
        part = fee(rates["high"], amount)  #@mark fee
        account.balance -= amount + part  #@mark balance
        self.fees += part  #@mark fees
        payments += 1  #@mark payments

    def elsewhere(self, gift):
        def give(name):
            self.accounts[name].balance += gift  #@mark thread

        threads = [threading.Thread(target=give, args=(n,)) for n in ("ann", "bob", "carol")]
        for t in threads:
            t.start()
        for t in threads:
            t.join()


rates = {"low": 1, "high": 7}  #@mark rates
payments = 0


def fee(rate, amount):
    cut = amount * rate // 10  #@mark cut
    return cut  #@mark returned


def spread(limits):
    """Goes wrong in one round of many."""
    for i in range(len(limits)):
        limit = i * 2
        if i == 70:
            limit = -limit
        limits[i] = limit  #@mark element


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def main():
    book = Book()
    for name in ("ann", "bob", "carol"):
        book.accounts[name] = Account(name, 100)
    counter = 0

    def count(n):
        nonlocal counter
        counter += n  #@mark captured

    book.elsewhere(5)
    for i in range(1, 4):
        book.pay("bob", i * 10)  #@mark pay
        count(i)
    spread(book.limits)
    again = book
    again.fees = fib(len(sys.argv) + 5)  #@mark alias
    dan = Account("dan", 1)
    setattr(dan, "balance", 9)  #@mark reflected
    bob = book.accounts["bob"]
    left = bob.balance  #@mark left
    seen = left  #@mark seen
    print(seen, counter, book.limits[70], book.fees, payments, book.accounts["ann"].balance)  #@mark check


main()
