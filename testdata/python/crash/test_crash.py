import crash


def test_peek():
    crash.peek(8)


def test_fine():
    assert crash.ctypes.sizeof(crash.ctypes.c_char) == 1
