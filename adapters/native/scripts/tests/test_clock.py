import unittest

from aidb.record.clock import STUB, Instruction, counting, led_to, replaceable

# for (...) { a->total = a->total + i; }
LOOP = [
    Instruction(0x1000, bytes.fromhex("eb14"), "jmp    0x1016"),
    Instruction(0x1002, bytes.fromhex("488b45e8"), "mov    -0x18(%rbp),%rax"),
    Instruction(0x1006, bytes.fromhex("8b5008"), "mov    0x8(%rax),%edx"),
    Instruction(0x1009, bytes.fromhex("8b45fc"), "mov    -0x4(%rbp),%eax"),
    Instruction(0x100C, bytes.fromhex("01d0"), "add    %edx,%eax"),
    Instruction(0x100E, bytes.fromhex("894108"), "mov    %eax,0x8(%rcx)"),
    Instruction(0x1011, bytes.fromhex("8345fc01"), "addl   $0x1,-0x4(%rbp)"),
    Instruction(0x1016, bytes.fromhex("837dfc63"), "cmpl   $0x63,-0x4(%rbp)"),
    Instruction(0x101A, bytes.fromhex("7ee6"), "jle    0x1002"),
    Instruction(0x101C, bytes.fromhex("c3"), "ret"),
]
WRITES = 0x100E


def places(found):
    return [i.at for i in found or []]


class Clock(unittest.TestCase):
    def test_a_jump_fits_beside_what_writes(self):
        self.assertEqual(places(replaceable(LOOP, WRITES, {WRITES})), [0x1009, 0x100C])

    def test_a_breakpoint_is_left_where_it_is(self):
        self.assertIsNone(replaceable(LOOP, WRITES, {WRITES, 0x100C}))

    def test_nothing_is_replaced_into_which_something_jumps(self):
        into = [*LOOP[:-1], Instruction(0x101C, bytes.fromhex("75ee"), "jne    0x100c"), Instruction(0x101E, b"\xc3", "ret")]
        self.assertIsNone(replaceable(into, WRITES, {WRITES}))

    def test_nothing_is_replaced_where_the_run_alone_knows_what_jumps_there(self):
        self.assertIsNone(replaceable([*LOOP, Instruction(0x101D, b"\xff\xe0", "jmp    *%rax")], WRITES, {WRITES}))

    def test_what_writes_to_memory_stays(self):
        found = replaceable(LOOP, 0x1011, set())
        self.assertNotIn(0x1011, places(found))
        self.assertNotIn(WRITES, places(found))

    def test_the_copy_counts_and_comes_back(self):
        region = 0x10000
        code, stop = counting(replaceable(LOOP, WRITES, {WRITES}), region)
        self.assertIn(bytes.fromhex("8b45fc01d0"), code)
        self.assertTrue(code.endswith((0x100E).to_bytes(8, "little")))
        self.assertEqual(code[stop - region], 0x90)
        at = code.index(b"\xf0\x48\xff\x0d")  # lock decq of the number
        self.assertEqual(region + at + 8 + int.from_bytes(code[at + 4 : at + 8], "little", signed=True), region + STUB)

    def test_the_jump_takes_as_many_bytes_as_what_it_replaces(self):
        found = replaceable(LOOP, WRITES, {WRITES})
        jump = led_to(found, 0x10000)
        self.assertEqual(len(jump), found[-1].end - found[0].at)
        self.assertEqual(found[0].at + 5 + int.from_bytes(jump[1:5], "little", signed=True), 0x10000)
        self.assertIsNone(led_to(found, 1 << 40))


if __name__ == "__main__":
    unittest.main()
