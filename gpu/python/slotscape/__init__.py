"""Hash tables for arrays of NumPy, CuPy and PyTorch: docs/using-from-python.md.

    import numpy, slotscape

    table = slotscape.Table(numpy.array([7, -3, 7]), numpy.array([1.5, 2.5, 3.5]))
    values, found = table.find(numpy.array([-3, 8]))

Tables are where their arrays are: on the CPU, or on a GPU, where they work on the stream that is current when they are
made. The calls wait until they are done. Any thread may call any table: those that call one take turns.
"""
from __future__ import annotations

import json
import operator
import os
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from typing import Any, Literal, overload

import numpy

from ._arrays import Array, Library, largest_magnitude, library_of, tables_for, taken
from ._tables import RowsOfDevice, TableOfDevice
from ._cells import Cell
from ._neighbours import neighbours
from ._windows import PROGRAM, Watch, Window, on_host, program_path, show, watch

__all__ = ["Cell", "Table", "Watch", "Window", "group_by", "join", "neighbours", "show", "tune", "unique", "watch"]

_KEY_TYPES = {"int64": "int64", "uint64": "int64", "int32": "int32", "uint32": "int32"}
_LARGEST = {"int32": 2**31 - 1, "int64": 2**63 - 1}
_SMALL = ("bool", "int8", "int16", "uint8", "uint16")
_EXACT = {"float32": 2**24, "float64": 2**53}
"""Up to here, floating-point numbers have every integer."""
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
            f"keys are integers, and these are {name}. Number them (numpy.unique with return_inverse, pandas.factorize), "
            "both sides of a join together"
            + (f"; or view the bits of keys + 0.0, which has no -0.0, as int{bits}." if bits.isdigit() else ".")
        )
    return name


def _stored_value_type(name: str) -> str:
    if name not in _VALUE_TYPES:
        raise TypeError(
            f"values are int32, int64, float32 or float64, and these are {name}: convert them, or store the numbers of "
            "their rows, numpy.arange(len(keys))."
        )
    return _VALUE_TYPES[name]


def _whole(name: str, number: int) -> int:
    """The number, if it is one of slots or keys."""
    try:
        whole = operator.index(number)
    except TypeError:
        raise TypeError(f"{name} is a whole number, and {number!r} is none: pass int({name})") from None
    if not 0 <= whole < 2**63:
        raise ValueError(f"{name} is a number from 0 on, below 2^63, and cannot be {whole}")
    return whole


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

    Several threads may call one table: each call is done as a whole, before or after those of the others.
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
        capacity = _whole("capacity", capacity)
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
        self._turn = threading.RLock()  # of the thread that calls; a call may consist of others
        self._reach = 0  # no sum is farther from 0, as long as all values came by `add`
        self._table = TableOfDevice(
            self._tables, _KEY_TYPES[self.key_type], self.value_type, capacity, self._stream
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
        """The same, but keys that are there get the sum.

        Integers are added up exactly. Raises OverflowError where a sum cannot be stored: those keys are as before, and all
        others have theirs.
        """
        if self.value_type not in _LARGEST:
            return self._insert("add", keys, values, False)
        values = self._values(values)
        with self._turn:
            if self._has_room_for_sums(keys, values):
                return self._insert("add", keys, values, False)
            return self._add_exactly(keys, values)

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
        with self._turn:
            self._reach = self._largest_value
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
        with self._turn:
            self._table.find(address(keys), address(values), address(outcomes), len(keys))
        return values, outcomes == self._tables.found

    def contains(self, keys: Array) -> Array:
        """Returns an array of bool: which keys are there."""
        keys = self._keys(keys)
        are_there = self._library.empty(len(keys), "bool")
        self._ready()
        with self._turn:
            self._table.contains(self._library.address(keys), self._library.address(are_there), len(keys))
        return are_there

    def erase(self, keys: Array) -> int:
        """Returns how many keys were there."""
        keys = self._keys(keys)
        self._ready()
        with self._turn:
            return self._table.erase(self._library.address(keys), len(keys))

    def items(self) -> tuple[Array, Array]:
        """All keys and their values, in no particular order."""
        with self._turn:
            count = len(self)
            keys = self._library.empty(count, _KEY_TYPES[self.key_type])
            values = self._library.empty(count, self.value_type)
            self._ready()
            self._table.export_pairs(self._library.address(keys), self._library.address(values), count)
        return self._library.bits_as(keys, self.key_type), values

    def __len__(self) -> int:
        with self._turn:
            return self._table.size()

    @property
    def slots(self) -> int:
        with self._turn:
            return self._table.slots()

    @property
    def load_factor(self) -> float:
        with self._turn:
            return len(self) / self.slots

    @property
    def memory_bytes(self) -> int:
        with self._turn:
            return self._table.memory_bytes()

    def rehash(self, slots: int) -> None:
        """Moves all pairs to another number of slots. Raises RuntimeError if they do not fit; then nothing changes."""
        slots = _whole("slots", slots)
        with self._turn:
            self._table.rehash(slots)

    def clear(self) -> None:
        with self._turn:
            self._table.clear()
            self._reach = 0

    def __copy__(self) -> Table:
        """A table of its own with the same pairs."""
        with self._turn:
            keys, values = self.items()
            twin = Table(key_type=self.key_type, value_type=self.value_type, capacity=len(keys), like=keys)
            twin._insert("keep", keys, values, True)
            twin._reach = self._reach
        return twin

    def __deepcopy__(self, _memo: object) -> Table:
        return self.__copy__()

    def __reduce__(self) -> str:
        raise TypeError("a table cannot be pickled: save the arrays of items(), and make a table of them again")

    def __repr__(self) -> str:
        with self._turn:
            contents = f"{len(self)} keys of {self.key_type}, values of {self.value_type}, {self.slots} slots"
        return f"slotscape.Table({contents})"

    def _insert(self, combine: str, keys: Array, values: Array, distinct: bool) -> int:
        keys = self._keys(keys)
        values = self._values(values)
        _require_one_each(keys, values)
        self._ready()
        address = self._library.address
        with self._turn:
            if combine != "add":
                self._reach = self._largest_value
            done = self._table.insert(combine, address(keys), address(values), len(keys), distinct)
        if done.rejected:
            raise self._reserved(done.rejected, "inserted")
        if done.full:
            raise MemoryError(f"{done.full} keys found no place, and all others were inserted: the table cannot grow further")
        return done.inserted

    @property
    def _largest_value(self) -> int:
        """That can be stored, of integers."""
        is_reserved = self.value_type == "int64" or _KEY_TYPES[self.key_type] == "int32"
        return _LARGEST.get(self.value_type, 0) - is_reserved

    def _has_room_for_sums(self, keys: Array, values: Array) -> bool:
        """Whether no sum, of whichever of these values first, is beyond what can be stored: the table adds one by one."""
        more = len(values) * largest_magnitude(values)
        if self._reach + more <= self._largest_value:
            self._reach += more
            return True
        self._reach = self._largest_value
        return largest_magnitude(self.find(keys)[0]) + more <= self._largest_value

    def _add_exactly(self, keys: Array, values: Array) -> int:
        _require_one_each(keys, values)
        distinct, parts = _sums_in_parts(self._library, taken(self._library, keys), values)
        sums, fits = _whole_sums(self._library, parts, self.find(distinct)[0])
        fits = fits & (sums <= self._largest_value) & (sums >= -1 - _LARGEST[self.value_type])
        stored = self._library.converted(sums[fits], self.value_type)
        inserted = self._insert("replace", distinct[fits], stored, True)
        if left_out := len(distinct) - len(stored):
            raise OverflowError(
                f"{left_out} sums cannot be stored as {self.value_type}, and all others were added: make a table with "
                f"value_type='{'int64' if self.value_type == 'int32' else 'float64'}'"
            )
        return inserted

    def _reserved(self, count: int, done: str) -> OverflowError:
        return OverflowError(
            f"{count} pairs were left out, and all others {done}: their value is the largest {self.value_type}, which "
            "cannot be stored. Use another one, or float64."
        )

    def _require_value(self, number: float) -> None:
        if self.value_type not in _LARGEST:
            return
        largest = _LARGEST[self.value_type]
        if not -1 - largest <= number <= largest or int(number) != number:
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
        becomes_float = name in _LARGEST and self.value_type in _EXACT
        if becomes_float and largest_magnitude(values) > _EXACT[self.value_type]:
            raise TypeError(
                f"the table's values are {self.value_type}, and these integers go beyond {_EXACT[self.value_type]}, from "
                f"where on they would lose digits: make a table with value_type='{name}'"
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


_PART_BITS = 21
"""Integers are added up in three parts of so many bits: sums of 2^41 parts do not overflow, and the upper ones have a sign."""


def _part(integers: Array, i: int) -> Array:
    return (integers >> _PART_BITS * i) & (2**_PART_BITS - 1) if i < 2 else integers >> 2 * _PART_BITS


def _sums_in_parts(library: Library, keys: Array, values: Array) -> tuple[Array, list[Array]]:
    """Each key once, and the sums of the parts of its values, the lowest ones first."""
    values = library.converted(values, "int64")
    parts = []
    for i in range(3):
        table = _table_for(library, keys, "int64")
        table._insert("add", keys, _part(values, i), False)
        if i == 0:
            distinct, sums = table.items()
        parts.append(sums if i == 0 else table.find(distinct)[0])
    return distinct, parts


def _whole_sums(library: Library, parts: list[Array], more: Array) -> tuple[Array, Array]:
    """What the parts and `more` are together, as int64, and an array of bool: where that is not too large for it."""
    more = library.converted(more, "int64")
    low, middle, high = (part + _part(more, i) for i, part in enumerate(parts))
    middle = middle + (low >> _PART_BITS)
    high = high + (middle >> _PART_BITS)
    sums = (high << 2 * _PART_BITS) | (_part(middle, 0) << _PART_BITS) | _part(low, 0)
    return sums, sums >> 2 * _PART_BITS == high


@overload
def unique(keys: Array, *, return_counts: Literal[False] = False) -> Array: ...
@overload
def unique(keys: Array, *, return_counts: Literal[True]) -> tuple[Array, Array]: ...
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

    Sums are int64 or float64. Integers are added up exactly; raises OverflowError where a sum is none of int64. What has a
    NaN among its values becomes NaN.
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
    _require_one_each(keys, values)
    name = _stored_value_type(library.type_of(values))
    if how == "sum" and name.startswith("int"):
        return _integer_sums(library, keys, library.converted(values, "int64"))
    if how == "sum":
        table = _table_for(library, keys, "float64")
        table.add(keys, values)
        return table.items()
    return _extremes(library, keys, library.converted(values, name), how)


def _integer_sums(library: Library, keys: Array, values: Array) -> tuple[Array, Array]:
    if len(values) * largest_magnitude(values) < _LARGEST["int64"]:
        table = _table_for(library, keys, "int64")
        table.add(keys, values)
        return table.items()
    distinct, parts = _sums_in_parts(library, keys, values)
    sums, fits = _whole_sums(library, parts, library.full(len(distinct), 0, "int64"))
    if not bool(fits.all()):
        raise OverflowError("a sum does not fit into int64: pass the values as float64")
    return distinct, sums


def _set_of(library: Library, keys: Array) -> Table:
    return Table(keys, library.full(len(keys), 1, "int32"))


def _extremes(library: Library, keys: Array, values: Array, how: str) -> tuple[Array, Array]:
    """The least or the largest value of each key."""
    name = library.type_of(values)
    stored = values
    has_largest = name == "int64" and len(values) > 0 and int(values.max()) == _LARGEST[name]
    if has_largest:  # which cannot be stored: the next one stands for it
        is_largest = values == _LARGEST[name]
        stored = values - library.converted(is_largest, name)
    table = _table_for(library, keys, "int64" if name == "int32" else name)  # has room for every int32
    (table.minimum if how == "min" else table.maximum)(keys, stored)
    distinct, results = table.items()
    results = library.converted(results, name)
    if has_largest:
        if how == "max":
            changed = _set_of(library, keys[is_largest]).contains(distinct)
        else:
            changed = ~_set_of(library, keys[~is_largest]).contains(distinct)
        results[changed] = _LARGEST[name]
    with_nan = keys[values != values]
    if len(with_nan):  # the table has an order of its own for them
        results[_set_of(library, with_nan).contains(distinct)] = float("nan")
    return distinct, results


@overload
def join(left: Array, right: Array, how: Literal["inner", "left"] = "inner") -> tuple[Array, Array]: ...
@overload
def join(left: Array, right: Array, how: Literal["semi", "anti"]) -> Array: ...
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
    rows = RowsOfDevice(tables, stored, library.stream())
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
    keys: Array,
    *,
    workload: str | Mapping[str, Any] | None = None,
    seconds: float = 60.0,
    program: str = PROGRAM,
) -> dict[str, Any]:
    """The answer of `slotscape tune WORKLOAD` for these keys, as its JSON: which table is the best for them here.

    The workload is one of the program's own ("join"), a file of one, or what such a file would hold; without one, it is
    the program's usual mix of insertions and lookups. docs/manual/tune.md tells of workloads. It runs the program, which
    must be installed: FileNotFoundError says so.
    """
    path = program_path(program)
    library = library_of(keys)
    keys = taken(library, keys)
    _stored_key_type(library.type_of(keys))
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "keys.npy")
        answer = os.path.join(folder, "answer.json")
        numpy.save(file, on_host(keys))
        run = [path, "tune", "--keys", file, "--budget", str(seconds), "--json", answer]
        if isinstance(workload, Mapping):
            named = os.path.join(folder, "workload.json")
            with open(named, "w", encoding="utf-8") as text:
                json.dump(dict(workload), text)
            run.insert(2, named)
        elif workload is not None:
            run.insert(2, workload)
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or f"slotscape ended with {done.returncode}")
        with open(answer, encoding="utf-8") as text:
            return json.load(text)
