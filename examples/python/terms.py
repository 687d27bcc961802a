class Account:
    def __init__(self, name):
        self.name = name
        self.terms = STANDARD


STANDARD = {"discount": 0}


def welcome(account):
    account.terms["discount"] = 25


def bill(account, amount):
    discount = account.terms["discount"]
    return amount - amount * discount // 100


accounts = [Account("ann"), Account("bob"), Account("carol")]
welcome(accounts[1])
for account in accounts:
    print(account.name, bill(account, 1000), flush=True)
