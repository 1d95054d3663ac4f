"""Where slotscape_watch.py says that keys and values lie, of arrays as NumPy, PyTorch and others show them.

description_test.py FOLDER_OF_THE_MODULE
"""
import array
import ctypes
import json
import sys
import unittest

sys.dont_write_bytecode = True  # the module lies among the sources
sys.path.insert(0, sys.argv.pop(1))
import slotscape_watch  # noqa: E402


class Shown:
    """An array by its interface alone, as NumPy writes it."""

    def __init__(self, shape, typestr, **more):
        self.memory = (ctypes.c_char * 4096)()
        self.__array_interface__ = {"data": (ctypes.addressof(self.memory), False), "shape": shape, "typestr": typestr,
                                    "version": 3, **more}


def described(arrays, **layout):
    found = slotscape_watch._arrays_of(arrays)
    return json.loads(slotscape_watch._description_of({"slots": 16, **layout}, found))


def places(arrays, **layout):
    """(array, offset, stride) of the key and of the value"""
    told = described(arrays, **layout)
    return [(part.get("array"), part.get("offset"), part.get("stride")) for part in (told["key"], told.get("value", {}))]


PAIR = [("key", "<u8"), ("value", "<u4"), ("", "|V4")]


class Descriptions(unittest.TestCase):
    def test_bits_name_the_column_of_an_array_of_rows(self):
        self.assertEqual(places(Shown((16, 2), "<u8"), key={"bits": 64}, value={"bits": 64}),
                         [("slots", 0, 16), ("slots", 8, 16)])
        self.assertEqual(places(Shown((17, 3), "<u4"), key={"bits": 32}, value={"bits": 32}),
                         [("slots", 0, 12), ("slots", 4, 12)], "one row more than there are slots")
        self.assertEqual(places(Shown((16,), "<u8"), key={"bits": 64})[0], ("slots", 0, 8))
        self.assertEqual(places({"keys": Shown((16,), "<u8"), "values": Shown((16,), "<u8")},
                                key={"array": "keys", "bits": 64}, value={"array": "values", "bits": 64}),
                         [("keys", 0, 8), ("values", 0, 8)])

    def test_bits_name_the_field_of_a_structured_array(self):
        pairs = Shown((16,), "|V16", descr=PAIR)
        self.assertEqual(places(pairs, key={"bits": 64}, value={"bits": 32}), [("slots", 0, 16), ("slots", 8, 16)])
        other_way = Shown((16,), "|V16", descr=[("value", "<u8"), ("key", "<u8")])
        self.assertEqual(places(other_way, key={"bits": 64}, value={"bits": 64}), [("slots", 8, 16), ("slots", 0, 16)])
        halves = Shown((16,), "|V12", descr=[("key", "<u4"), ("rest", "<u4", (2,))])
        self.assertEqual(places(halves, key={"bits": 32}, value={"bits": 32}), [("slots", 0, 12), ("slots", 4, 12)])

    def test_places_that_are_given_stay(self):
        given = {"offset": 4, "stride": 16, "bits": 32}
        self.assertEqual(described(Shown((16, 2), "<u8"), key=given)["key"], given)
        for other in ({"preset": "cuco::static_set"}, {"bucket": {"slots": 4, "stride": 32}}):
            self.assertEqual(described(Shown((16, 2), "<u8"), key={"bits": 64}, **other)["key"], {"bits": 64})

    def test_keys_side_by_side_stay_so(self):
        for memory in (bytearray(128), Shown((8, 2), "<u8"), Shown((16, 2), "<u4"), memoryview(array.array("Q", 16 * [0]))):
            told = described(memory, key={"bits": 64})["key"]
            self.assertEqual((told.get("offset", 0), told.get("stride", 8)), (0, 8))

    def test_signs_are_told(self):
        self.assertTrue(described(Shown((16,), "<i8"), key={"bits": 64})["key"]["signed"])
        self.assertNotIn("signed", described(Shown((16,), "<u8"), key={"bits": 64})["key"])
        self.assertFalse(described(Shown((16,), "<i8"), key={"bits": 64, "signed": False})["key"]["signed"])
        self.assertTrue(described(array.array("q", 16 * [0]), key={"bits": 64})["key"]["signed"])

    def test_json_says_the_same(self):
        found = slotscape_watch._arrays_of(Shown((16, 2), "<u8"))
        layout = {"slots": 16, "key": {"bits": 64}, "empty_key": 2**64 - 1}
        self.assertEqual(slotscape_watch._description_of(json.dumps(layout), found),
                         slotscape_watch._description_of(layout, found))
        self.assertEqual(slotscape_watch._description_of("{", found), "{", "for the viewer to complain of")

    def test_what_contradicts_the_array_is_refused(self):
        for arrays, parts, complaint in (
                (Shown((16,), "<u8"), {"key": {"bits": 32}}, "key has 32 bits, and columns of the array have 64"),
                (Shown((16,), "<u8"), {"key": {"bits": 64}, "value": {"bits": 64}}, "no column beside the key's"),
                (Shown((16,), "|V16", descr=PAIR), {"key": {"bits": 64}, "value": {"bits": 8}}, "have 32"),
                (Shown((16, 2), ">u8"), {"key": {"bits": 64}}, "big-endian"),
                (Shown((16,), "|V16", descr=[("key", ">u8"), ("value", "<u8")]), {"key": {"bits": 64}}, "big-endian"),
                (Shown((16, 2), "<u8", strides=(8, 128)), {"key": {"bits": 64}}, "gaps, or its rows do not follow"),
                (Shown((16,), "<u8", strides=(16,)), {"key": {"bits": 64}}, "gaps")):
            with self.assertRaisesRegex(ValueError, complaint):
                described(arrays, **parts)


if __name__ == "__main__":
    unittest.main()
