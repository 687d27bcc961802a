import unittest

from aidb.ways import Flow, Unclear

# A line at 5, 7 and 8: 7 is come to by unwinding alone, 5 when the function returns early, 8 at its end.
CODE = [
    (0, "cmp %eax,%ebx"), (1, "je 0x5"),
    (4, "jmp 0x8"),
    (5, "call 0x40 <drop>"), (6, "jmp 0x9"),
    (7, "call 0x40 <drop>"), (71, "call 0x50 <_Unwind_Resume@plt>"),
    (8, "call 0x40 <drop>"), (9, "ret"),
]


class Ways(unittest.TestCase):
    def test_other_ways_are_found(self):
        self.assertEqual(Flow(CODE).others([5, 7, 8, 9], [7]), [5, 8])

    def test_one_pass_is_not_to_stop_twice(self):
        self.assertEqual(Flow(CODE).others([5, 7, 8, 9], [5]), [8])
        self.assertTrue(Flow(CODE).leads(5, 9))
        self.assertFalse(Flow(CODE).leads(5, 8))

    def test_rounds_of_a_loop_are_passes_of_their_own(self):
        loop = [(0, "nop"), (1, "jne 0x5"), (3, "call 0x40"), (4, "jmp 0x0"), (5, "jne 0x8"), (6, "call 0x40"), (7, "jmp 0x0"), (8, "ret")]
        self.assertEqual(Flow(loop).others([3, 6], [3]), [6])

    def test_a_table_of_jumps_leads_nobody_knows_where(self):
        with self.assertRaises(Unclear):
            Flow([(0, "jmp *%rax"), (2, "call 0x40"), (3, "ret")])


if __name__ == "__main__":
    unittest.main()
