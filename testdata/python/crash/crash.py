"""Reads memory that is not there, through ctypes."""

import ctypes


def peek(address):
    return ctypes.string_at(address)  #@mark peek


if __name__ == "__main__":
    peek(8)
