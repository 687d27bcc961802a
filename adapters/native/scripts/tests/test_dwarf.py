import unittest

from aidb import dwarf

# Abbreviations: code, tag, has children, then attribute and form of each.
ABBREVIATIONS = bytes([
    1, 0x11, 1, 0, 0,  # a compile unit
    2, dwarf.STRUCT, 1, dwarf.NAME, 0x08, dwarf.SIZE, 0x0B, 0, 0,
    3, dwarf.VARIANT_PART, 1, dwarf.DISCR, 0x13, 0, 0,
    4, dwarf.MEMBER, 0, dwarf.OF, 0x13, dwarf.PLACE, 0x0B, 0, 0,
    5, dwarf.VARIANT, 0, dwarf.DISCR_VALUE, 0x0B, 0, 0,
    6, dwarf.VARIANT, 0, 0, 0,
    7, 0x24, 0, dwarf.SIZE, 0x0B, 0, 0,  # a plain type
    8, dwarf.UNION, 1, dwarf.NAME, 0x0E, dwarf.SIZE, 0x0B, 0, 0,
    9, dwarf.MEMBER, 0, dwarf.NAME, 0x08, dwarf.OF, 0x13, 0, 0,
    10, dwarf.ARRAY, 1, dwarf.OF, 0x13, 0, 0,
    11, dwarf.SUBRANGE, 0, dwarf.UPPER, 0x0F, 0, 0,
    12, dwarf.TYPEDEF, 0, dwarf.NAME, 0x08, dwarf.OF, 0x13, 0, 0,
    0,
])
HEADER = 11  # bytes of a unit's


def word(n):
    return n.to_bytes(4, "little")


def info(entries, version=4):
    body = bytes([version, 0]) + (word(0) + bytes([8]) if version < 5 else bytes([1, 8]) + word(0)) + entries
    unit = word(len(body)) + body
    first = word(7) + bytes([4, 0]) + word(0) + bytes([8])  # an empty unit before it
    sections = {".debug_info": first + unit, ".debug_abbrev": ABBREVIATIONS, ".debug_str": b"\0number_t\0"}

    def find(name):
        data = sections.get(name)
        return None if data is None else dwarf.Section(len(data), lambda at, size: data[at : at + size])

    return dwarf.Info(find), len(first)


class Variants(unittest.TestCase):
    def read(self, values, version=4):
        header = HEADER + (version >= 5)
        entries = bytearray([1])
        tag = header + len(entries)
        entries += bytes([7, 2])  # the tag's type, of two bytes
        enum = header + len(entries)
        entries += bytes([2]) + b"Shape\0" + bytes([16])
        part = header + len(entries)
        entries += bytes([3]) + word(part + 5) + bytes([4]) + word(tag) + bytes([6])
        for value in values:
            entries += bytes([6]) if value is None else bytes([5, value])
        entries += bytes([0, 0, 0])
        found, start = info(bytes(entries), version)
        return dwarf.variants(found, start + enum)

    def test_where_the_tag_is(self):
        for version in (4, 5):
            self.assertEqual(self.read([0, 7, None], version), dwarf.Variants(6, 2, (0, 7, None)))

    def test_that_is_no_enum(self):
        found, start = info(bytes([1, 2]) + b"Plain\0" + bytes([4, 0, 0]))
        with self.assertRaises(dwarf.Unknown):
            dwarf.variants(found, start + HEADER + 1)


class Unions(unittest.TestCase):
    def test_lengths_of_arrays(self):
        entries = bytearray([1])
        plain = HEADER + len(entries)
        entries += bytes([7, 1])
        array = HEADER + len(entries)
        entries += bytes([10]) + word(plain) + bytes([11]) + b"\x87\x01" + bytes([0])  # up to 135
        union = HEADER + len(entries)
        entries += bytes([8]) + word(1) + bytes([136]) + bytes([9]) + b"b\0" + word(array) + bytes([9]) + b"n\0" + word(plain) + bytes([0])
        typedef = HEADER + len(entries)
        entries += bytes([12]) + b"alias\0" + word(union) + bytes([0])
        found, start = info(bytes(entries))
        unit = found.unit(start + typedef)
        unions = list(dwarf.unions(unit, unit.at(start + typedef), False))
        self.assertEqual([u.get(dwarf.NAME) for u in unions], ["number_t"])
        self.assertEqual(dwarf.array_lengths(unit, unions[0]), {"b": 136})


class Damage(unittest.TestCase):
    def test_a_section_that_ends(self):
        found, start = info(bytes([1, 2]) + b"Sha")
        with self.assertRaises(dwarf.Unknown):
            found.unit(start).at(start + HEADER + 1)

    def test_no_section(self):
        with self.assertRaises(dwarf.Unknown):
            dwarf.Info(lambda _: None).unit(0)

    def test_an_offset_behind_all(self):
        found, _ = info(bytes([1, 0]))
        with self.assertRaises(dwarf.Unknown):
            found.unit(1 << 20)


if __name__ == "__main__":
    unittest.main()
