"""Hash tables for arrays of NumPy, CuPy and PyTorch: docs/using-from-python.md.

    import numpy, slotscape

    table = slotscape.Table(numpy.array([7, -3, 7]), numpy.array([1.5, 2.5, 3.5]))
    values, found = table.find(numpy.array([-3, 8]))

Tables are where their arrays are: on the CPU, or on a GPU, where they work on the stream that is current when they are
made. The calls wait until they are done.
"""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from typing import Any, Literal

import numpy

from ._arrays import Array, Library, library_of, tables_for, taken

__all__ = ["Table", "group_by", "join", "tune", "unique"]

_KEY_TYPES = {"int64": "int64", "uint64": "int64", "int32": "int32", "uint32": "int32"}
_SMALL = ("bool", "int8", "int16", "uint8", "uint16")
_VALUE_TYPES = {
    **{name: name for name in ("int32", "int64", "float32", "float64")},
    **{name: "int32" for name in _SMALL},
    "uint32": "int64",
    "float16": "float32",
}


def _stored_key_type(name: str) -> str:
    if name in _SMALL:
        return "int32"
    if name not in _KEY_TYPES:
        bits = name.removeprefix("float")
        raise TypeError(
            f"keys are integers, and these are {name}. Number them (numpy.unique with return_inverse, pandas.factorize)"
            + (f", or view the bits of keys + 0.0, which has no -0.0, as int{bits}." if bits.isdigit() else ".")
        )
    return name


def _stored_value_type(name: str) -> str:
    if name not in _VALUE_TYPES:
        raise TypeError(
            f"values are int32, int64, float32 or float64, and these are {name}: convert them, or store the numbers of "
            "their rows, numpy.arange(len(keys))."
        )
    return _VALUE_TYPES[name]


def _require_one_each(keys: Array, values: Array) -> None:
    if len(keys) != len(values):
        raise ValueError(f"each key has one value, and there are {len(keys)} keys and {len(values)} values")


class Table:
    """A hash table from integers to numbers.

    keys, values: arrays of one length, the first pairs; of several for one key in one call, any of them stays.
    capacity: how many keys there will be, as far as that is known; the table grows beyond it.
    key_type, value_type: where there are no first keys. `like`: an array where the table is to be; NumPy's by default.

    Keys are int32, int64, uint32 or uint64 (smaller ones become int32), and every one can be stored. Values are int32,
    int64, float32 or float64; the largest integer of each type cannot be stored beside keys of its size.
    """

    def __init__(
        self,
        keys: Array | None = None,
        values: Array | None = None,
        *,
        capacity: int = 0,
        key_type: str = "int64",
        value_type: str = "int64",
        like: Array | None = None,
    ) -> None:
        if capacity < 0:
            raise ValueError(f"capacity is how many keys there will be, and cannot be {capacity}")
        first = keys if keys is not None else like
        self._library: Library = library_of(first)
        if keys is not None:
            keys = taken(self._library, keys)
            key_type = self._library.type_of(keys)
            capacity = max(capacity, len(keys))
        if values is not None:
            value_type = self._library.type_of(taken(self._library, values))
        self.key_type: str = _stored_key_type(key_type)
        self.value_type: str = _stored_value_type(value_type)
        self._tables = tables_for(self._library)
        self._stream = self._library.stream()
        number = self._tables.Number
        self._table = self._tables.make_table(
            getattr(number, _KEY_TYPES[self.key_type]), getattr(number, self.value_type), capacity, self._stream
        )
        if keys is not None:
            if values is None:
                raise TypeError("keys without values: pass values, or use slotscape.unique")
            self.assign(keys, values)

    def insert(self, keys: Array, values: Array, *, distinct: bool = False) -> int:
        """Gives new keys their value; those that are there keep theirs. Returns how many were new.

        distinct: a promise that no key occurs twice in this call, which is then faster.
        """
        return self._insert("keep", keys, values, distinct)

    def assign(self, keys: Array, values: Array, *, distinct: bool = False) -> int:
        """The same, but keys that are there get the new value."""
        return self._insert("replace", keys, values, distinct)

    def add(self, keys: Array, values: Array) -> int:
        """The same, but keys that are there get the sum. Sums of integers stop at the largest one that can be stored."""
        return self._insert("add", keys, values, False)

    def minimum(self, keys: Array, values: Array) -> int:
        """The same, but keys that are there get the smaller value."""
        return self._insert("min", keys, values, False)

    def maximum(self, keys: Array, values: Array) -> int:
        """The same, but keys that are there get the larger value."""
        return self._insert("max", keys, values, False)

    def update(self, keys: Array, values: Array) -> int:
        """Gives keys that are there a new value, and leaves out all others. Returns how many were there.

        Of several values for one key, any of them stays.
        """
        keys = self._keys(keys)
        values = self._values(values)
        _require_one_each(keys, values)
        outcomes = self._library.empty(len(keys), "uint8")
        self._ready()
        address = self._library.address
        updated = self._table.update(address(keys), address(values), address(outcomes), len(keys))
        rejected = int((outcomes == self._tables.rejected).sum()) if len(keys) else 0
        if rejected:
            raise self._reserved(rejected, "updated")
        return updated

    def find(self, keys: Array, default: float = 0) -> tuple[Array, Array]:
        """Returns the value of each key, `default` for those that are not there, and an array of bool: which ones are."""
        keys = self._keys(keys)
        self._require_value(default)
        values = self._library.full(len(keys), default, self.value_type)
        outcomes = self._library.empty(len(keys), "uint8")
        self._ready()
        address = self._library.address
        self._table.find(address(keys), address(values), address(outcomes), len(keys))
        return values, outcomes == self._tables.found

    def contains(self, keys: Array) -> Array:
        """Returns an array of bool: which keys are there."""
        keys = self._keys(keys)
        are_there = self._library.empty(len(keys), "bool")
        self._ready()
        self._table.contains(self._library.address(keys), self._library.address(are_there), len(keys))
        return are_there

    def erase(self, keys: Array) -> int:
        """Returns how many keys were there."""
        keys = self._keys(keys)
        self._ready()
        return self._table.erase(self._library.address(keys), len(keys))

    def items(self) -> tuple[Array, Array]:
        """All keys and their values, in no particular order."""
        count = len(self)
        keys = self._library.empty(count, _KEY_TYPES[self.key_type])
        values = self._library.empty(count, self.value_type)
        self._ready()
        self._table.export_pairs(self._library.address(keys), self._library.address(values), count)
        return self._library.bits_as(keys, self.key_type), values

    def __len__(self) -> int:
        return self._table.size()

    @property
    def slots(self) -> int:
        return self._table.slots()

    @property
    def load_factor(self) -> float:
        return len(self) / self.slots

    @property
    def memory_bytes(self) -> int:
        return self._table.memory_bytes()

    def rehash(self, slots: int) -> None:
        """Moves all pairs to another number of slots. Raises RuntimeError if they do not fit; then nothing changes."""
        self._table.rehash(max(slots, 0))

    def clear(self) -> None:
        self._table.clear()

    def __repr__(self) -> str:
        return f"slotscape.Table({len(self)} keys of {self.key_type}, values of {self.value_type}, {self.slots} slots)"

    def _insert(self, combine: str, keys: Array, values: Array, distinct: bool) -> int:
        keys = self._keys(keys)
        values = self._values(values)
        _require_one_each(keys, values)
        self._ready()
        address = self._library.address
        done = self._table.insert(
            self._tables.combines[combine], address(keys), address(values), len(keys), distinct
        )
        if done.rejected:
            raise self._reserved(done.rejected, "inserted")
        if done.full:
            raise MemoryError(f"{done.full} keys found no place, and all others were inserted: the table cannot grow further")
        return done.inserted

    def _reserved(self, count: int, done: str) -> OverflowError:
        return OverflowError(
            f"{count} pairs were left out, and all others {done}: their value is the largest {self.value_type}, which "
            "cannot be stored. Use another one, or float64."
        )

    def _require_value(self, number: float) -> None:
        if not self.value_type.startswith("int"):
            return
        end = 2 ** (int(self.value_type.removeprefix("int")) - 1)
        if not -end <= number < end or int(number) != number:
            raise TypeError(f"the table's values are {self.value_type}, and {number} is none: pass another one")

    def _keys(self, keys: Array) -> Array:
        keys = taken(self._library, keys)
        name = _stored_key_type(self._library.type_of(keys))
        if name != self.key_type:
            raise TypeError(
                f"the table's keys are {self.key_type}, and these are {name}: convert them, or make a table with "
                f"key_type='{name}'"
            )
        signed = _KEY_TYPES[name]
        return self._library.bits_as(self._library.converted(keys, name), signed)

    def _values(self, values: Array) -> Array:
        values = taken(self._library, values)
        name = _stored_value_type(self._library.type_of(values))
        narrows = {"float64": ("int32", "int64", "float32"), "float32": ("int32", "int64"), "int64": ("int32", "float32")}
        if self.value_type in narrows.get(name, ()):
            raise TypeError(
                f"the table's values are {self.value_type}, and these are {name}, which would lose digits: convert them, "
                f"or make a table with value_type='{name}'"
            )
        return self._library.converted(values, self.value_type)

    def _ready(self) -> None:
        """The table's stream must not read what another one still writes."""
        if self._library.stream() != self._stream:
            self._library.wait()


def _table_for(library: Library, keys: Array, value_type: str) -> Table:
    """An empty table for these keys, as large as a sample says that there are different ones. If there are more, it grows."""
    sample = 1 << 18
    key_type = library.type_of(keys)
    capacity = len(keys)
    if capacity > 4 * sample:
        some = keys[:: capacity // sample]
        met = Table(key_type=key_type, value_type="int32", capacity=len(some), like=keys)
        met.insert(some, library.full(len(some), 1, "int32"))
        if len(met) < len(some) // 2:  # most of them have been met
            capacity = 2 * len(met)
    return Table(key_type=key_type, value_type=value_type, capacity=capacity, like=keys)


def unique(keys: Array, *, return_counts: bool = False) -> Array | tuple[Array, Array]:
    """Each key once, in no particular order; on request with an array of int64 that tells how often it occurs."""
    library = library_of(keys)
    keys = taken(library, keys)
    ones = library.full(len(keys), 1, "int64" if return_counts else "int32")
    table = _table_for(library, keys, library.type_of(ones))
    (table.add if return_counts else table.insert)(keys, ones)
    distinct, counts = table.items()
    return (distinct, counts) if return_counts else distinct


def group_by(
    keys: Array, values: Array, how: Literal["sum", "min", "max", "count", "mean"] = "sum"
) -> tuple[Array, Array]:
    """Each key once, in no particular order, and the sum, the least, the largest, the number or the mean of its values.

    Sums are int64 or float64. Raises OverflowError where a sum of integers reaches 2^63 - 1. What has a NaN among its
    values becomes NaN.
    """
    library = library_of(keys)
    keys, values = taken(library, keys), taken(library, values)
    if how == "count":
        _require_one_each(keys, values)
        return unique(keys, return_counts=True)
    if how == "mean":
        distinct, sums = group_by(keys, library.converted(values, "float64"))
        table = Table(key_type=library.type_of(keys), capacity=len(distinct), like=keys)
        table.add(keys, library.full(len(keys), 1, "int64"))
        return distinct, sums / table.find(distinct)[0]
    if how not in ("sum", "min", "max"):
        raise ValueError(f"'{how}' is none of sum, min, max, count and mean")
    name = _stored_value_type(library.type_of(values))
    wider = {"int32": "int64", "float32": "float64" if how == "sum" else "float32"}  # has room for every int32, and for sums
    table = _table_for(library, keys, wider.get(name, name))
    {"sum": table.add, "min": table.minimum, "max": table.maximum}[how](keys, values)
    distinct, results = table.items()
    if how != "sum":
        results = library.converted(results, name)
        with_nan = keys[values != values]
        if len(with_nan):  # the table has an order of its own for them
            marked = Table(with_nan, library.full(len(with_nan), 1, "int32"))
            results[marked.contains(distinct)] = float("nan")
    if how == "sum" and table.value_type == "int64" and bool(((results >= 2**63 - 2) | (results <= 1 - 2**63)).any()):
        raise OverflowError("a sum does not fit into int64: pass the values as float64")
    return distinct, results


def join(
    left: Array, right: Array, how: Literal["inner", "left", "semi", "anti"] = "inner"
) -> Array | tuple[Array, Array]:
    """The rows that belong together because their keys are equal.

    inner: two arrays of int64, the rows of `left` and of `right`, in the order of the former; left: the same, and each row
    of `left` without an equal key once, with -1. semi and anti: the rows of `left` with, and without, an equal key.
    """
    if how not in ("inner", "left", "semi", "anti"):
        raise ValueError(f"'{how}' is none of inner, left, semi and anti")
    library = library_of(left)
    left, right = taken(library, left), taken(library, right)
    name = _stored_key_type(library.type_of(left))
    if name != _stored_key_type(library.type_of(right)):
        raise TypeError(
            f"the keys of one side are {name}, of the other {library.type_of(right)}: convert one of them"
        )
    stored = _KEY_TYPES[name]
    left = library.bits_as(library.converted(left, name), stored)
    right = library.bits_as(library.converted(right, name), stored)
    tables = tables_for(library)
    rows = tables.make_rows(getattr(tables.Number, stored), library.stream())
    rows.build(library.address(right), len(right))
    counts = library.empty(len(left), "int32")
    rows.count(library.address(left), library.address(counts), len(left))
    numbers = library.numbers_to(len(left))
    if how in ("semi", "anti"):
        return numbers[(counts > 0) if how == "semi" else (counts == 0)]
    total = int(counts.sum()) if len(left) else 0
    offsets = library.empty(len(left) + 1, "int32")
    found = library.empty(total, "int32")
    rows.retrieve(library.address(left), len(left), library.address(offsets), library.address(found), total)
    left_rows = library.rank(_as_unsigned(library, offsets), library.numbers_to(total)) - 1
    right_rows = _as_unsigned(library, found)
    if how == "inner":
        return left_rows, right_rows
    alone = numbers[counts == 0]
    return _in_order(library, left_rows, right_rows, alone)


def _as_unsigned(library: Library, numbers: Array) -> Array:
    """Unsigned numbers of 32 bits, which not every library has, as int64."""
    return library.converted(numbers, "int64") & 0xFFFFFFFF


def _in_order(library: Library, left_rows: Array, right_rows: Array, alone: Array) -> tuple[Array, Array]:
    """Adds the rows that stand alone at their places."""
    total = len(left_rows) + len(alone)
    lefts = library.empty(total, "int64")
    rights = library.full(total, -1, "int64")
    places = library.numbers_to(len(left_rows)) + library.rank(alone, left_rows)
    lefts[places] = left_rows
    rights[places] = right_rows
    lefts[library.numbers_to(len(alone)) + library.rank(left_rows, alone)] = alone
    return lefts, rights


def tune(
    keys: Array, *, workload: str = "join", seconds: float = 60.0, program: str = "slotscape"
) -> dict[str, Any]:
    """The answer of `slotscape tune WORKLOAD` for these keys, as its JSON: which table is the best for them here.

    It runs the program, which must be installed: FileNotFoundError says so. docs/manual/tune.md tells of workloads.
    """
    path = shutil.which(program)
    if path is None:
        raise FileNotFoundError(f"'{program}' is not on the PATH: install Slotscape, or pass program=PATH")
    library = library_of(keys)
    keys = taken(library, keys)
    _stored_key_type(library.type_of(keys))
    on_host = keys.get() if hasattr(keys, "get") else keys.cpu().numpy() if hasattr(keys, "cpu") else keys
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "keys.npy")
        answer = os.path.join(folder, "answer.json")
        numpy.save(file, on_host)
        run = [path, "tune", workload, "--keys", file, "--budget", str(seconds), "--json", answer]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or f"slotscape ended with {done.returncode}")
        with open(answer, encoding="utf-8") as text:
            return json.load(text)
