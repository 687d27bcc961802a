level = 1
names = []


def raise_level(n):
    global level
    level = n  #@mark helper-global
