"""Where slotscape_watch.py says that keys and values lie, of arrays as NumPy, PyTorch and others show them.

description_test.py FOLDER_OF_THE_MODULE
"""
import array
import ctypes
import json
import os
import sys
import unittest
import unittest.mock

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
        for memory in (bytearray(128), Shown((8, 16), "<u1"), Shown((16, 2), "<u4"), memoryview(array.array("Q", 16 * [0]))):
            told = described(memory, key={"bits": 64})["key"]
            self.assertEqual((told.get("offset", 0), told.get("stride", 8)), (0, 8))

    def test_signs_are_told(self):
        self.assertTrue(described(Shown((16,), "<i8"), key={"bits": 64})["key"]["signed"])
        self.assertNotIn("signed", described(Shown((16,), "<u8"), key={"bits": 64})["key"])
        self.assertFalse(described(Shown((16,), "<i8"), key={"bits": 64, "signed": False})["key"]["signed"])
        self.assertTrue(described(array.array("q", 16 * [0]), key={"bits": 64})["key"]["signed"])
        pairs = described({"keys": Shown((16,), "<u4"), "values": Shown((16,), "<f4")},
                          key={"array": "keys", "bits": 32}, value={"array": "values", "bits": 32})
        self.assertTrue(pairs["value"]["float"])
        self.assertTrue(described(Shown((16, 2), "<i4"), key={"bits": 32}, value={"bits": 32})["value"]["signed"])

    def test_fields_are_named_as_in_files(self):
        rows = Shown((16,), "|V16", descr=[("count", "<f8"), ("k", "<i4"), ("v", "<i4")])
        told = described(rows, key={"field": "k"}, value={"field": "count"})
        self.assertEqual(told["key"], {"array": "slots", "offset": 8, "stride": 16, "bits": 32, "signed": True})
        self.assertEqual(told["value"], {"array": "slots", "offset": 0, "stride": 16, "bits": 64, "float": True})
        self.assertFalse(described(rows, key={"field": "k", "signed": False})["key"]["signed"])
        with self.assertRaisesRegex(ValueError, "key is in a field 'key', which no array has: there are 'count', 'k', 'v'"):
            described(rows, key={"field": "key"})
        with self.assertRaisesRegex(ValueError, "no names"):
            described(Shown((16, 2), "<u8"), key={"field": ""})

    def test_fields_that_are_not_one_number_are_refused(self):
        for kind, words in (("<M8[ns]", r"dates \(<M8\[ns\]\)"), ("|S8", r"texts \(\|S8\)"), ("<U2", "texts"), ("<c8", "complex"),
                            ("<m8[s]", "lengths of time"), ("|V8", "bytes of no type")):
            rows = Shown((16,), "|V16", descr=[("key", kind), ("value", "<i8")])
            for part in ({"bits": 64}, {"field": "key"}):
                with self.subTest(kind=kind, part=part), self.assertRaisesRegex(ValueError, f"key: 'key' holds {words}"):
                    described(rows, key=part)
            self.assertEqual(described(rows, key={"bits": 64, "offset": 0, "stride": 16})["key"]["offset"], 0)
            swapped = Shown((16,), "|V16", descr=[("key", "<i8"), ("value", kind)])
            with self.assertRaisesRegex(ValueError, f"value: 'value' holds {words}"):
                described(swapped, key={"bits": 64}, value={"bits": 64})
            self.assertEqual(described(swapped, key={"bits": 64})["key"]["stride"], 16)
        two_words = Shown((16,), "|V16", descr=[("key", "<u4", (2,)), ("value", "<i8")])
        for part in ({"bits": 32}, {"bits": 64}, {"field": "key"}):
            with self.subTest(part=part), self.assertRaisesRegex(ValueError, "key: 'key' holds 2 numbers of 32 bits each"):
                described(two_words, key=part)

    def test_no_other_field_is_taken_for_the_one_of_that_name(self):
        rows = Shown((16,), "|V12", descr=[("key", "<u4"), ("value", "<i8")])
        with self.assertRaisesRegex(ValueError, "key has 64 bits, and 'key' has 32"):
            described(rows, key={"bits": 64})
        with self.assertRaisesRegex(ValueError, "no field is a number of 64 bits"):
            described(Shown((16,), "|V16", descr=[("id", "|S8"), ("value", "<i8")]), key={"bits": 64})

    def test_keys_and_values_have_their_own_bytes(self):
        same = "keys and values lie in the same bytes of the array 'slots'"
        for key, value in (({"bits": 64}, {"bits": 64}), ({"bits": 64, "stride": 16}, {"bits": 32, "offset": 4, "stride": 16}),
                           ({"bits": 32, "stride": 8}, {"bits": 32, "stride": 4}),
                           ({"bits": 32, "offset": 4, "stride": 8}, {"bits": 64, "stride": 8})):
            with self.subTest(key=key, value=value), self.assertRaisesRegex(ValueError, same):
                described(bytearray(512), key=key, value=value)
        described(bytearray(512), key={"bits": 64, "stride": 16}, value={"bits": 64, "offset": 8, "stride": 16})
        described(bytearray(512), key={"bits": 64}, value={"bits": 64, "offset": 128})
        in_buckets = {"bucket": {"slots": 4, "stride": 32}, "key": {"bits": 32, "stride": 4}}
        described(bytearray(512), **in_buckets, value={"bits": 32, "offset": 16, "stride": 4})
        with self.assertRaisesRegex(ValueError, same):
            described(bytearray(512), **in_buckets, value={"bits": 32, "offset": 12, "stride": 4})

    def test_each_row_is_a_slot(self):
        rows = Shown((1024, 2), "<i4")
        for slots in (1025, 2048):
            for parts in ({"key": {"bits": 32}}, {"key": {"bits": 32}, "value": {"bits": 32}}):
                with self.subTest(slots=slots, parts=parts), \
                        self.assertRaisesRegex(ValueError, f"{slots} slots, and the array 'slots' has 1024 rows of 2 numbers"):
                    described(rows, **{**parts, "slots": slots})
        self.assertEqual(described(rows, slots=2048, key={"bits": 32, "stride": 4})["key"]["stride"], 4)
        self.assertEqual(places(rows, slots=1024, key={"bits": 32})[0], ("slots", 0, 8))

    def test_json_says_the_same(self):
        found = slotscape_watch._arrays_of(Shown((16, 2), "<u8"))
        layout = {"slots": 16, "key": {"bits": 64}, "empty_key": 2**64 - 1}
        self.assertEqual(slotscape_watch._description_of(json.dumps(layout), found),
                         slotscape_watch._description_of(layout, found))

    def test_what_contradicts_the_array_is_refused(self):
        for arrays, parts, complaint in (
                (Shown((16,), "<u8"), {"key": {"bits": 32}}, "key has 32 bits, and columns of the array have 64"),
                (Shown((16,), "<u8"), {"key": {"bits": 64}, "value": {"bits": 64}}, "no column beside the key's"),
                (Shown((16,), "|V16", descr=PAIR), {"key": {"bits": 64}, "value": {"bits": 8}}, "and 'value' has 32"),
                (Shown((16, 2), ">u8"), {"key": {"bits": 64}}, "big-endian"),
                (Shown((16,), "|V16", descr=[("key", ">u8"), ("value", "<u8")]), {"key": {"bits": 64}}, "big-endian"),
                (Shown((16, 2), "<u8", strides=(8, 128)), {"key": {"bits": 64}}, "gaps, or its rows do not follow"),
                (Shown((16,), "<u8", strides=(16,)), {"key": {"bits": 64}}, "gaps"),
                (Shown((16,), "<i2"), {"key": {"bits": 64}}, "key has 64 bits, and rows of the array 'slots' have 16"),
                (Shown((64,), "<i2"), {"key": {"bits": 64}}, "pass its bytes"),
                (Shown((10,), "<u8"), {"key": {"bits": 64}}, "end at byte 128 of the array 'slots', which has 80"),
                (bytearray(127), {"key": {"bits": 64}}, "which has 127 bytes"),
                (bytearray(255), {"key": {"bits": 64, "stride": 16}, "value": {"bits": 64, "offset": 8, "stride": 16}},
                 "values of 16 slots end at byte 256"),
                (bytearray(100), {"key": {"bits": 32, "stride": 4}, "bucket": {"slots": 4, "stride": 32}}, "end at byte 112"),
                ({"keys": bytearray(128), "homes": bytearray(60)},
                 {"key": {"array": "keys", "bits": 64}, "hash": {"homes": "homes"}},
                 "homes of 16 slots end at byte 64 of the array 'homes'"),
                ({"keys": bytearray(128), "control": bytearray(15)},
                 {"key": {"array": "keys", "bits": 64}, "control": {"array": "control"}}, "control bytes of 16 slots end at byte 16"),
                (bytearray(127), {"preset": "cuco::static_set", "key_bits": 64}, "16 keys of 64 bits do not fit")):
            with self.subTest(complaint), self.assertRaisesRegex(ValueError, complaint):
                described(arrays, **parts)

    def test_layouts_that_mean_nothing_are_refused(self):
        key = {"key": {"bits": 64}}
        for layout, complaint in (
                ({**key, "hsh": 1}, "layout has no field 'hsh'; there are preset, slots, key"),
                ({**key, "seed": 1}, "no field 'seed'"),
                ({"key": {"bits": 64, "feild": "id"}}, "layout's key has no field 'feild'; there are array, offset"),
                ({**key, "hash": {"function": "murmur3", "modulo": 7}}, "layout's hash has no field 'modulo'"),
                ({**key, "probing": {"hashes": [{"sed": 1}]}}, "hash of the layout's probing has no field 'sed'"),
                ({**key, "links": {"parts": [{"offset": 4}]}}, "part of the layout's links has no field 'offset'"),
                ({"slots": 1.5, **key}, '"slots" of the layout must be a whole number from 2 to 2147483648'),
                ({"slots": None, **key}, 'does not say how many slots there are: add "slots"'),
                ({"slots": -1, **key}, '"slots" of the layout must be'),
                ({"key": {"bits": 64, "offset": -8}}, '"offset" of the layout\'s key must be a whole number from 0 on'),
                ({"key": {"bits": 64, "array": "keys"}}, "must name one of 'slots'"),
                ({"key": 64}, "key must be an object"), ({}, 'add "key"')):
            with self.subTest(complaint), self.assertRaisesRegex(ValueError, complaint):
                described(bytearray(128), **layout)
        found = slotscape_watch._arrays_of(bytearray(128))
        for text, complaint in (("{bad", "the layout is no JSON"), ("[1]", "JSON of an object"), ("7", "JSON of an object")):
            with self.assertRaisesRegex(ValueError, complaint):
                slotscape_watch._description_of(text, found)

    def test_layouts_that_say_everything_are_taken(self):
        whole = {"key": {"array": "keys", "bits": 32, "offset": "0x10", "stride": 32, "signed": True},
                 "value": {"array": "keys", "bits": 8, "offset": 20, "stride": 32}, "empty_key": -1, "erased_key": None,
                 "control": {"array": "control", "empty": 128}, "bucket": None, "links": None,
                 "hash": {"function": "universal", "reduction": "modulo", "seed": 1, "add": 2, "x": 3, "y": 4},
                 "probing": {"scheme": "double", "window": 1, "hashes": [{"function": "identity"}]}}
        self.assertEqual(described({"keys": bytearray(512), "control": bytearray(16)}, **whole), {"slots": 16, **whole})
        described(bytearray(128), key={"bits": 64}, hash="unknown", probing="linear")
        described({"slabs": bytearray(128), "pool": bytearray(64)}, preset="slabhash", seed=1, super_blocks=1)

    def test_moved_arrays_are_checked(self):
        with unittest.mock.patch.dict(os.environ, SLOTSCAPE_WATCH="0"):
            watched = slotscape_watch.watch("t", Shown((16, 2), "<u8"), {"slots": 16, "key": {"bits": 64}})
            watched.moved(Shown((17, 2), "<u8"))
            with self.assertRaisesRegex(ValueError, "which has 128 bytes"):
                watched.moved(Shown((8, 2), "<u8"))


if __name__ == "__main__":
    unittest.main()
