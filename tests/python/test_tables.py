"""The Python package: NumPy on the CPU, and CuPy and PyTorch where they are installed. Run by unittest."""
import copy
import importlib
import os
import pickle
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy

import slotscape

LIBRARIES = {"numpy": numpy.asarray}
try:
    import torch

    LIBRARIES["torch"] = torch.tensor
    if torch.cuda.is_available():
        LIBRARIES["torch on a GPU"] = lambda array: torch.tensor(array, device="cuda")
except ImportError:
    pass
try:
    import cupy

    cupy.zeros(1)
    LIBRARIES["cupy"] = cupy.asarray
except Exception:  # not installed, or no GPU
    pass


def on_host(array):
    for way in ("get", "cpu"):
        if hasattr(array, way):
            return numpy.asarray(getattr(array, way)())
    return numpy.asarray(array)


def as_dict(pairs):
    keys, values = map(on_host, pairs)
    result = dict(zip(keys.tolist(), values.tolist()))
    assert len(result) == len(keys), "a key came twice"
    return result


class OfAnother:
    """A column of another library, of which elements may be missing; as an array of NumPy, it is of floats then."""

    dtype = "Int64"

    def __init__(self, numbers, **says_missing):
        self.numbers = numbers
        self.__dict__.update(says_missing)

    def __array__(self, dtype=None, copy=None):
        has_all = None not in self.numbers
        return numpy.array([numpy.nan if each is None else each for each in self.numbers], "int64" if has_all else "float64")


def columns_of_others(numbers):
    """As pandas has them, Arrow and Polars; those themselves, where they are installed."""
    is_missing = numpy.array([each is None for each in numbers])
    count = int(is_missing.sum())
    yield OfAnother(numbers, isna=lambda: is_missing)
    yield OfAnother(numbers, null_count=count)
    yield OfAnother(numbers, null_count=lambda: count)
    for name, make in (("pandas", lambda library: library.Series(numbers, dtype="Int64")),
                       ("pyarrow", lambda library: library.array(numbers, library.int64())),
                       ("polars", lambda library: library.Series(numbers, dtype=library.Int64))):
        try:
            yield make(importlib.import_module(name))
        except ImportError:
            pass


class Libraries(unittest.TestCase):
    def test_which_are_there(self):
        for name in ("torch", "torch on a GPU", "cupy"):
            with self.subTest(name):
                if name not in LIBRARIES:
                    self.skipTest(f"{name}: not installed, or there is no GPU, so nothing is tested with it")


class Tables(unittest.TestCase):
    """Everything is compared with a dict."""

    def each_library(self):
        for name, make in LIBRARIES.items():
            with self.subTest(name):
                yield make

    def test_does_what_a_dict_does(self):
        random = numpy.random.default_rng(1)
        for make in self.each_library():
            for key_type in ("int32", "int64"):
                for value_type in ("int32", "int64", "float32", "float64"):
                    keys = random.integers(-1000, 1000, 5000).astype(key_type)
                    values = random.integers(0, 100, 5000).astype(value_type)
                    table = slotscape.Table(key_type=key_type, value_type=value_type, like=make(keys))
                    model = {}
                    for key, value in zip(keys.tolist(), values.tolist()):
                        model[key] = model.get(key, 0) + value
                    self.assertEqual(table.add(make(keys), make(values)), len(model))
                    self.assertEqual(as_dict(table.items()), model)
                    self.assertEqual(table.insert(make(keys), make(values)), 0)
                    erased = numpy.arange(-2000, 0).astype(key_type)
                    self.assertEqual(table.erase(make(erased)), sum(key < 0 for key in model))
                    asked = numpy.arange(-5, 1500).astype(key_type)
                    found_values, found = map(on_host, table.find(make(asked), default=-1))
                    there = [key >= 0 and key in model for key in asked.tolist()]
                    self.assertEqual(found.tolist(), there)
                    self.assertEqual(on_host(table.contains(make(asked))).tolist(), there)
                    wanted = [model[key] if is_there else -1 for key, is_there in zip(asked.tolist(), there)]
                    self.assertEqual(found_values.tolist(), wanted)
                    table.clear()
                    self.assertEqual(len(table), 0)

    def test_stores_every_key(self):
        extremes = {
            "int32": [-(2**31), -3, -2, -1, 0, 2**31 - 1],
            "int64": [-(2**63), -3, -2, -1, 0, 2**63 - 1],
            "uint32": [0, 2**32 - 3, 2**32 - 2, 2**32 - 1],
            "uint64": [0, 2**64 - 3, 2**64 - 2, 2**64 - 1],
        }
        for key_type, numbers in extremes.items():
            keys = numpy.array(numbers, dtype=key_type)
            table = slotscape.Table(keys, numpy.arange(len(keys), dtype="float64"))
            self.assertEqual(as_dict(table.items()), dict(zip(numbers, map(float, range(len(keys))))))
            self.assertEqual(table.items()[0].dtype, key_type)

    def test_combines_values(self):
        for make in self.each_library():
            keys, values = make(numpy.array([4, 4, 4])), make(numpy.array([2.5, -1.0, 9.0]))
            for method, value in (("minimum", -1.0), ("maximum", 9.0), ("add", 10.5)):
                table = slotscape.Table(value_type="float64", like=keys)
                getattr(table, method)(keys, values)
                self.assertEqual(as_dict(table.items()), {4: value})

    def test_updates_only_what_is_there(self):
        for make in self.each_library():
            keys = make(numpy.arange(100))
            table = slotscape.Table(keys, keys)
            wanted = numpy.arange(-50, 50)
            self.assertEqual(table.update(make(wanted), make(7 * wanted)), 50)
            self.assertEqual(as_dict(table.items()), {key: 7 * key if key < 50 else key for key in range(100)})
            with self.assertRaisesRegex(OverflowError, "1 pairs were left out, and all others updated"):
                table.update(make(numpy.array([1, 2])), make(numpy.array([2**63 - 1, 0])))
            self.assertEqual(as_dict(table.items())[2], 0)

    def test_grows_and_is_rehashed(self):
        for make in self.each_library():
            table = slotscape.Table(capacity=10, like=make(numpy.zeros(1)))
            for first in range(0, 100_000, 10_000):
                keys = make(numpy.arange(first, first + 10_000))
                self.assertEqual(table.insert(keys, keys, distinct=True), 10_000)
            self.assertEqual(len(table), 100_000)
            self.assertLessEqual(table.load_factor, 0.8)
            table.rehash(1 << 18)
            self.assertEqual(table.slots, 1 << 18)
            self.assertEqual(as_dict(table.items()), {i: i for i in range(100_000)})
            with self.assertRaisesRegex(RuntimeError, "do not fit"):
                table.rehash(1000)

    def test_unique_and_group_by(self):
        random = numpy.random.default_rng(2)
        keys = random.integers(-50, 50, 10_000)
        values = random.integers(-1000, 1000, 10_000)
        distinct, counts = numpy.unique(keys, return_counts=True)
        for make in self.each_library():
            self.assertEqual(sorted(on_host(slotscape.unique(make(keys))).tolist()), distinct.tolist())
            expected = dict(zip(distinct.tolist(), counts.tolist()))
            self.assertEqual(as_dict(slotscape.unique(make(keys), return_counts=True)), expected)
            reductions = {"sum": numpy.sum, "min": numpy.min, "max": numpy.max, "count": len, "mean": numpy.mean}
            for how, reduce in reductions.items():
                expected = {int(key): reduce(values[keys == key]).tolist() if how != "count" else int((keys == key).sum())
                            for key in distinct}
                result = as_dict(slotscape.group_by(make(keys), make(values), how))
                self.assertEqual(result.keys(), expected.keys())
                for key, value in expected.items():
                    self.assertAlmostEqual(result[key], value, places=9)

    def test_adds_integers_up_exactly(self):
        end = 2**63
        cases = [[2**62, 2**62, -(2**62), -(2**62)], [end - 2, 2, 4 - end], [end - 1], [end - 2], [-end], [-end, end - 1, 1, 1],
                 [end - 1, end - 1, -end, -end, 7], [-1, -(2**42), 2**21], [end - 1, 1], [-end, -1], [2**62, 2**62]]
        random = numpy.random.default_rng(4)
        cases += [random.integers(-(2**60), 2**60, 300).tolist() for _ in range(20)]
        for make in self.each_library():
            for case in cases:
                ones = make(numpy.ones(len(case), dtype="uint64" if make is numpy.asarray else "int64"))
                values = make(numpy.array(case, dtype="int64"))
                if -end <= sum(case) < end:
                    self.assertEqual(as_dict(slotscape.group_by(ones, values)), {1: sum(case)})
                else:
                    with self.assertRaisesRegex(OverflowError, "does not fit into int64: pass the values as float64"):
                        slotscape.group_by(ones, values)

    def test_tables_add_integers_up_exactly(self):
        random = numpy.random.default_rng(5)
        for make in self.each_library():
            for key_type, value_type, largest in (("int64", "int64", 2**63 - 2), ("int32", "int32", 2**31 - 2),
                                                  ("int64", "int32", 2**31 - 1)):
                table, model = slotscape.Table(key_type=key_type, value_type=value_type, like=make(numpy.zeros(1))), {}
                for _ in range(20):
                    keys = random.integers(-20, 20, 100).astype(key_type)
                    values = random.integers(-(largest // 8), largest // 8, 100).astype(value_type)
                    wanted = dict(model)
                    for key, value in zip(keys.tolist(), values.tolist()):
                        wanted[key] = wanted.get(key, 0) + value
                    too_large = [key for key, value in wanted.items() if not -largest - 1 <= value <= largest]
                    for key in too_large:
                        wanted.pop(key)
                        if key in model:
                            wanted[key] = model[key]
                    if too_large:
                        with self.assertRaisesRegex(OverflowError, f"^{len(too_large)} sums cannot be stored as {value_type}"):
                            table.add(make(keys), make(values))
                    else:
                        self.assertEqual(table.add(make(keys), make(values)), len(wanted) - len(model))
                    model = wanted
                    self.assertEqual(as_dict(table.items()), model)
                table.assign(make(numpy.array([1], dtype=key_type)), make(numpy.array([largest], dtype=value_type)))
                table.add(make(numpy.array([1, 1], dtype=key_type)), make(numpy.array([5, -5], dtype=value_type)))
                self.assertEqual(table.find(make(numpy.array([1], dtype=key_type)))[0].tolist(), [largest])

    def test_groups_with_the_largest_int64(self):
        end = 2**63
        for make in self.each_library():
            keys = make(numpy.array([1, 1, 2, 3, 3, 4]))
            values = make(numpy.array([end - 1, 5, end - 1, end - 2, -end, 6]))
            self.assertEqual(as_dict(slotscape.group_by(keys, values, "max")), {1: end - 1, 2: end - 1, 3: end - 2, 4: 6})
            self.assertEqual(as_dict(slotscape.group_by(keys, values, "min")), {1: 5, 2: end - 1, 3: -end, 4: 6})
            with self.assertRaisesRegex(OverflowError, "does not fit"):
                slotscape.group_by(keys, values, "sum")

    def test_groups_values_at_the_ends_of_their_range(self):
        least, largest = -(2**31), 2**31 - 1
        for make in self.each_library():
            for key_type in ("int32", "int64"):
                keys = make(numpy.array([1, 1, 2, 2], dtype=key_type))
                values = make(numpy.array([largest, 5, largest, least], dtype="int32"))
                for how, expected in (
                    ("max", {1: largest, 2: largest}),
                    ("min", {1: 5, 2: least}),
                    ("sum", {1: largest + 5, 2: -1}),
                ):
                    distinct, results = slotscape.group_by(keys, values, how)
                    self.assertEqual(as_dict((distinct, results)), expected)
                    self.assertEqual(str(results.dtype).split(".")[-1], "int64" if how == "sum" else "int32")

    def test_join(self):
        random = numpy.random.default_rng(3)
        left, right = random.integers(0, 300, 1000), random.integers(100, 400, 800)
        pairs = [(i, j) for i, key in enumerate(left) for j in numpy.flatnonzero(right == key)]
        with_key = {i for i, _ in pairs}
        for make in self.each_library():
            sides = make(left), make(right)
            lefts, rights = map(on_host, slotscape.join(*sides))
            self.assertEqual(sorted(zip(lefts.tolist(), rights.tolist())), sorted(pairs))
            self.assertEqual(lefts.tolist(), sorted(lefts.tolist()))
            lefts, rights = map(on_host, slotscape.join(*sides, "left"))
            alone = [(i, -1) for i in range(1000) if i not in with_key]
            self.assertEqual(sorted(zip(lefts.tolist(), rights.tolist())), sorted(pairs + alone))
            self.assertEqual(lefts.tolist(), sorted(lefts.tolist()))
            self.assertEqual(on_host(slotscape.join(*sides, "semi")).tolist(), sorted(with_key))
            self.assertEqual(on_host(slotscape.join(*sides, "anti")).tolist(), [i for i, _ in alone])
            nothing = make(left[:0])
            for sides in ((nothing, make(right)), (make(left), nothing), (nothing, nothing)):
                self.assertEqual(len(slotscape.join(*sides)[0]), 0)

    def test_groups_with_a_nan_are_nan(self):
        nan = float("nan")
        for make in self.each_library():
            for value_type in ("float32", "float64"):
                for sign in (1.0, -1.0):
                    values = numpy.array([1.5, numpy.copysign(nan, sign), -2.5, -0.5, nan], dtype=value_type)
                    keys = make(numpy.array([7, 7, -1, -1, 3]))
                    for how, of_last in (("min", -2.5), ("max", -0.5), ("sum", -3.0), ("mean", -1.5)):
                        result = as_dict(slotscape.group_by(keys, make(values), how))
                        self.assertEqual(result.pop(-1), of_last)
                        self.assertEqual([str(value) for value in result.values()], ["nan", "nan"], how)

    def test_counts_rows_beyond_the_largest_int32(self):
        for make in self.each_library():
            numbers = make(numpy.array([0, 2**31 - 1, -(2**31), -1], dtype="int32"))
            unsigned = slotscape._as_unsigned(slotscape.library_of(numbers), numbers)
            self.assertEqual(on_host(unsigned).tolist(), [0, 2**31 - 1, 2**31, 2**32 - 1])

    def test_takes_arrays_as_they_come(self):
        unmasked = numpy.ma.array([4, 5], mask=[False, False])
        self.assertEqual(as_dict(slotscape.group_by(unmasked, unmasked)), {4: 4, 5: 5})
        strided = numpy.arange(20)[::2]
        table = slotscape.Table(strided, strided * 2)
        self.assertEqual(as_dict(table.items()), {i: 2 * i for i in range(0, 20, 2)})
        self.assertEqual(slotscape.Table([1, 2], [3, 4]).find([2])[0].tolist(), [4])
        small = slotscape.Table(numpy.array([1, 200], dtype="uint8"), numpy.array([True, False]))
        self.assertEqual(as_dict(small.items()), {1: 1, 200: 0})
        empty = numpy.array([], dtype="int64")
        self.assertEqual(len(slotscape.Table(empty, empty)), 0)
        self.assertEqual(len(slotscape.unique(empty)), 0)
        self.assertEqual(len(slotscape.unique([])), 0)
        self.assertEqual(slotscape.join([1, 2], [], "anti").tolist(), [0, 1])
        self.assertEqual(slotscape.join([1], [], "left")[1].tolist(), [-1])

    def test_whole_numbers_stay_whole_or_are_refused(self):
        large = 2**53 + 1  # which no float64 is
        for column in columns_of_others([large, large + 2, 5]):
            self.assertEqual(as_dict(slotscape.group_by([1, 2, 3], column)), {1: large, 2: large + 2, 3: 5})
            self.assertEqual(as_dict(slotscape.Table(column, column).items())[large], large)
        for column in columns_of_others([large, large + 2, None]):
            for call in (lambda: slotscape.group_by([1, 2, 3], column, "max"), lambda: slotscape.unique(column),
                         lambda: slotscape.join(column, [1]), lambda: slotscape.Table([1, 2, 3], [4, 5, 6]).find(column),
                         lambda: slotscape.Table([1, 2, 3], column)):
                with self.assertRaisesRegex(TypeError, "some elements are missing, .* leave their rows out .dropna"):
                    call()
        with_nan = numpy.array([1.5, numpy.nan])  # a number like any other
        self.assertEqual(str(sorted(as_dict(slotscape.group_by([1, 2], with_nan)).items())), "[(1, 1.5), (2, nan)]")
        with self.assertRaisesRegex(TypeError, "these integers fit into no one type"):
            slotscape.group_by([1, 2], [2**63, -1])
        for value_type, end in (("float32", 2**24), ("float64", 2**53)):
            table = slotscape.Table(value_type=value_type)
            table.insert([1], numpy.array([-end], dtype="int32" if value_type == "float32" else "int64"))
            with self.assertRaisesRegex(TypeError, f"go beyond {end}, .* lose digits"):
                table.add([2], numpy.array([end + 1], dtype="int32" if value_type == "float32" else "int64"))
            self.assertEqual(as_dict(table.items()), {1: -end})

    def test_a_copy_is_a_table_of_its_own(self):
        for make in self.each_library():
            for copied in (copy.copy, copy.deepcopy):
                table = slotscape.Table(make(numpy.array([1, 2, -3])), make(numpy.array([4.5, 5.5, 6.5])))
                twin = copied(table)
                self.assertEqual(as_dict(twin.items()), {1: 4.5, 2: 5.5, -3: 6.5})
                twin.erase(make(numpy.array([1])))
                table.insert(make(numpy.array([9])), make(numpy.array([0.5])))
                self.assertEqual(as_dict(twin.items()), {2: 5.5, -3: 6.5})
                self.assertEqual(as_dict(table.items()), {1: 4.5, 2: 5.5, -3: 6.5, 9: 0.5})
            sums = slotscape.Table(like=make(numpy.zeros(1)))
            sums.add(make(numpy.array([1])), make(numpy.array([2**62])))
            with self.assertRaisesRegex(OverflowError, "1 sums cannot be stored"):
                copy.copy(sums).add(make(numpy.array([1])), make(numpy.array([2**62])))
        self.assertEqual(len(copy.copy(slotscape.Table())), 0)

    def test_says_what_it_does_not_take(self):
        table = slotscape.Table([1, 2], [3, 4])
        masked = numpy.ma.array([1, 100], mask=[False, True])
        wrong = {
            "keys are integers": lambda: table.find(numpy.array([1.0])),
            "these are float32. .* bits of keys . 0.0, .* as int32.$": lambda: slotscape.unique(numpy.ones(2, "float32")),
            "these are str32. Number them .*factorize., both sides of a join together.$": lambda: slotscape.unique(["a"]),
            "a table cannot be pickled: save the arrays of items": lambda: pickle.dumps(table),
            "int64, and 1.5 is none": lambda: table.find([1], default=1.5),
            "int64, and 9223372036854775808 is none": lambda: table.find([1], default=2**63),
            "cannot be -4": lambda: slotscape.Table(capacity=-4),
            "capacity is a whole number, and 1.5 is none": lambda: slotscape.Table(capacity=1.5),
            "slots is a number from 0 on, .* cannot be -1$": lambda: table.rehash(-1),
            "slots is a whole number, and 64.0 is none: pass int": lambda: table.rehash(64.0),
            "cannot be 18446744073709551616": lambda: slotscape.Table(capacity=2**64),
            "cannot have 0 slots": lambda: table.rehash(0),
            "are masked, .* pass array.compressed": lambda: slotscape.group_by([1, 1], masked, "sum"),
            "of this array are masked": lambda: table.find(masked),
            "elements of this array are masked": lambda: slotscape.join([1], masked),
            "keys are int64, and these are uint64": lambda: table.find(numpy.array([1], dtype="uint64")),
            "one dimension": lambda: table.find(numpy.array([[1]])),
            "2 keys and 1 values": lambda: table.insert([1, 2], [3]),
            "would lose digits": lambda: table.insert([1], [0.5]),
            "values are int32, int64, float32 or float64": lambda: slotscape.Table([1], ["a"]),
            "none of sum": lambda: slotscape.group_by([1], [2], "median"),
            "none of inner": lambda: slotscape.join([1], [2], "outer"),
            "the largest int64": lambda: table.insert([7], [2**63 - 1]),
            "not on the PATH": lambda: slotscape.tune([1], program="no-such-program"),
        }
        for text, call in wrong.items():
            with self.subTest(text), self.assertRaisesRegex(
                (TypeError, ValueError, OverflowError, FileNotFoundError, RuntimeError), text
            ):
                call()
        self.assertEqual(as_dict(table.items()), {1: 3, 2: 4})

class Threads(unittest.TestCase):
    """Calls of several threads, which are done one after the other."""

    def at_once(self, *calls):
        with ThreadPoolExecutor(4) as pool:
            return [done.result() for done in [pool.submit(call) for call in calls]]

    def test_lookups(self):
        keys = numpy.arange(100_000)
        table = slotscape.Table(keys, keys)
        calls = [lambda: (table.contains(keys + 100_000).sum(), table.contains(keys).sum(), table.find(keys)[0].sum())] * 16
        self.assertEqual(set(self.at_once(*calls)), {(0, 100_000, keys.sum())})

    def test_changes_while_it_grows(self):
        table = slotscape.Table()
        random = numpy.random.default_rng(6)
        batches = [random.integers(0, 50_000, 20_000) for _ in range(24)]
        inserted = self.at_once(*[lambda batch=batch: table.add(batch, numpy.ones_like(batch)) for batch in batches])
        distinct, counts = numpy.unique(numpy.concatenate(batches), return_counts=True)
        self.assertEqual(sum(inserted), len(distinct))
        self.assertEqual(as_dict(table.items()), dict(zip(distinct.tolist(), counts.tolist())))

    def test_calls_of_all_kinds(self):
        table = slotscape.Table()

        def change(first):
            for _ in range(10):
                keys = numpy.arange(first, first + 5_000)
                self.assertEqual(table.insert(keys, 3 * keys), 5_000)
                self.assertEqual(table.update(keys, 3 * keys), 5_000)
                self.assertEqual(table.erase(keys), 5_000)
            table.rehash(1 << 16)

        def look():
            for _ in range(40):
                keys, values = table.items()
                self.assertTrue((values == 3 * keys).all())
                self.assertLessEqual(table.load_factor, 0.8)
                self.assertRegex(repr(table), "keys of int64")

        self.at_once(*[lambda i=i: change(5_000 * i) for i in range(3)], look)
        self.assertEqual(len(table), 0)

    def test_functions(self):
        keys, values = numpy.arange(40_000) % 1_000, numpy.arange(40_000)

        def call():
            sums = as_dict(slotscape.group_by(keys, values))
            rows = slotscape.join(numpy.arange(500), keys)[0]
            return sums[0], len(slotscape.unique(keys)), len(rows)

        self.assertEqual(set(self.at_once(*[call] * 12)), {(int(values[keys == 0].sum()), 1_000, 20_000)})


class Program(unittest.TestCase):
    @unittest.skipUnless("SLOTSCAPE_PROGRAM" in os.environ, "SLOTSCAPE_PROGRAM does not name the program")
    def test_asks_the_program_for_advice(self):
        program = os.environ["SLOTSCAPE_PROGRAM"]
        usual = slotscape.tune(numpy.arange(2000) * 7, seconds=1.0, program=program)
        self.assertNotIn("join", usual["workload"])
        self.assertEqual(usual["workload"]["hit"], 0.5)
        own = {"insert": 0.25, "hit": 0, "miss": 0.75, "erase": 0}
        of_own = slotscape.tune(numpy.arange(2000), workload=own, seconds=1.0, program=program)
        self.assertEqual(of_own["workload"]["miss"], 0.75)
        answer = slotscape.tune(numpy.arange(2000) * 7, workload="join", seconds=1.0, program=program)
        self.assertEqual(answer["live_keys"], 2000)
        self.assertIn("answer", answer)


if __name__ == "__main__":
    unittest.main()
