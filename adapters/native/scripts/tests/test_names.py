import unittest

from aidb import names
from aidb.rust import panic


class Libraries(unittest.TestCase):
    """Where the sources of libraries lie, all is a library's but what lies in the user's own folder."""

    def setUp(self):
        self.addCleanup(names.FOLDERS.clear)

    def test_own_folder(self):
        ours, theirs = "/usr/src/app/shop.c", "/usr/src/application/shop.c"
        self.assertTrue(names.library(ours))
        names.FOLDERS.append("/usr/src/app/")
        self.assertFalse(names.library(ours))
        self.assertTrue(names.library(theirs))
        self.assertTrue(names.library("/usr/include/stdio.h"))

    def test_own_crate(self):
        ours = "/h/.cargo/registry/src/index-1/shop-0.1.0/src/lib.rs"
        self.assertFalse(panic.Place("shop::total", ours, 3).users())
        names.FOLDERS.append("/h/.cargo/registry/src/index-1/shop-0.1.0/")
        self.assertTrue(panic.Place("shop::total", ours, 3).users())
        self.assertFalse(panic.Place("other::total", "/h/.cargo/registry/src/index-1/other-0.1.0/src/lib.rs", 3).users())
