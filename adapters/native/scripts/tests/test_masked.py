import unittest

from aidb.debugger import masked


class Read:
    """Registers by their names, masks and vectors by their numbers; None is one that cannot be read."""

    def __init__(self, masks=None, vectors=None, **registers):
        self.registers, self.masks, self.vectors = registers, masks or {}, vectors or {}

    def general(self, name):
        return self.registers[name]

    def mask(self, number):
        return self.masks.get(number)

    def vector(self, number):
        return self.vectors.get(number)


class Wrote(unittest.TestCase):
    def wrote(self, code, read, address, size=4, pc=0x1000):
        return masked.wrote(bytes.fromhex(code), pc, read, address, size)

    def test_only_what_the_mask_has(self):
        for code, read, first, after in (
            ("62e17f297f00", Read({1: 0xFF}, rax=0x500), 0x500, 0x508),  # vmovdqu8 %ymm16,(%rax){%k1}
            ("62817f4a7f449101", Read({2: 0b11110}, r9=0x100, r10=0x10), 0x181, 0x185),  # vmovdqu8 %zmm16,64(%r9,%r10,4){%k2}
            ("62f17e4b7f0d34120000", Read({3: 2}), 0x1000 + 0x1234 + 4, 0x1000 + 0x1234 + 8),  # vmovdqu32 %zmm1,0x1234(%rip){%k3}
            ("62f1fe0b7f0c24", Read({3: 2}, rsp=0x700), 0x708, 0x710),  # vmovdqu64 %xmm1,(%rsp){%k3}
            ("62f17c2f114c0dff", Read({7: 1}, rbp=0x200, rcx=0x10), 0x1F0, 0x1F4),  # vmovups %ymm1,-32(%rbp,%rcx){%k7}
            ("62c1fd4f29ad07000000", Read({7: 0x80}, r13=0x200), 0x207 + 56, 0x207 + 64),  # vmovapd %zmm21,7(%r13){%k7}
            ("c4e26d2e0cf7", Read(None, {2: bytes(7) + b"\x80" + bytes(24)}, rdi=0x300, rsi=2), 0x314, 0x318),  # vmaskmovps %ymm1,%ymm2,(%rdi,%rsi,8)
            ("c4c2998e4c2440", Read(None, {12: bytes(15) + b"\xff"}, r12=0x300), 0x348, 0x350),  # vpmaskmovq %xmm1,%xmm12,0x40(%r12)
        ):
            with self.subTest(code):
                self.assertTrue(self.wrote(code, read, first, 1))
                self.assertTrue(self.wrote(code, read, after - 1, 1))
                self.assertTrue(self.wrote(code, read, first - 3))
                self.assertFalse(self.wrote(code, read, first - 1, 1))
                self.assertFalse(self.wrote(code, read, after, 1))

    def test_mask_that_was_loaded_before(self):
        store = "62e17f297f00"
        self.assertFalse(self.wrote("c5fb92c9" + store, Read(rax=0x500, rcx=0xFFFF00FF), 0x508))  # kmovd %ecx,%k1
        self.assertTrue(self.wrote("c4e1fb92c9" + store, Read(rax=0x500, rcx=0xFFFF01FF), 0x508))  # kmovq %rcx,%k1
        self.assertFalse(self.wrote("c4c17892c9" + store, Read(rax=0x500, r9=0xFFFFFF), 0x510))  # kmovw %r9d,%k1
        self.assertIsNone(self.wrote("c4c17892d1" + store, Read(rax=0x500, r9=0xFFFFFF), 0x510))  # of another mask
        self.assertIsNone(self.wrote("90" * 5 + store, Read(rax=0x500), 0x510))

    def test_masked_in_another_way(self):
        self.assertIsNone(self.wrote("62f27e493108", Read({1: 1}, rax=0x500), 0x510))  # vpmovdb %zmm1,(%rax){%k1}

    def test_no_mask(self):
        for code in ("62e1fe287f4417ff", "c70424010000ff", "488904c8", "aa", "f3ab", "c5fe7f07"):
            with self.subTest(code):
                self.assertTrue(self.wrote("90" * 12 + code, Read(), 0x510))


if __name__ == "__main__":
    unittest.main()
