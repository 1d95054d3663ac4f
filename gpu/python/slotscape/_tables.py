"""The tables of a device, which are a shared library beside this file: src/calls.cpp. It is called by ctypes, without the
interpreter's lock; each call waits until it is done."""
from __future__ import annotations

import ctypes
import os
from typing import Any, NamedTuple

NUMBERS = ("int32", "int64", "float32", "float64")
COMBINES = ("replace", "keep", "add", "min", "max")
_PROBLEMS = {1: MemoryError, 2: ValueError, 3: OverflowError, 4: RuntimeError}

_address = ctypes.c_void_p
_count = ctypes.c_uint64
_number = ctypes.c_int


class Inserted(NamedTuple):
    inserted: int
    updated: int
    full: int
    rejected: int


class Tables:
    """Raises OSError where the library is missing or cannot be loaded. device: "cpu" or "cuda"."""

    def __init__(self, device: str) -> None:
        self._library = ctypes.CDLL(os.path.join(os.path.dirname(__file__), f"tables_{device}.so"))
        self._functions: dict[str, Any] = {}
        self._library.slotscape_message.restype = ctypes.c_char_p
        self.found: int = ctypes.c_uint8.in_dll(self._library, "slotscape_found").value
        self.rejected: int = ctypes.c_uint8.in_dll(self._library, "slotscape_rejected").value

    def function(self, name: str, *parameters: type) -> Any:
        if name not in self._functions:
            function = self._library[f"slotscape_{name}"]
            function.argtypes = parameters
            self._functions[name] = function
        return self._functions[name]

    def done(self, problem: int) -> None:
        """Raises what the call says that went wrong."""
        if problem:
            message = self._library.slotscape_message().decode(errors="replace")
            raise _PROBLEMS[problem](message)


class _Owned:
    """Something in the library that is freed with this object."""

    def __init__(self, tables: Tables, kind: str, *arguments: tuple[type, Any]) -> None:
        self._tables = tables
        self._self: int | None = None
        self._free = tables.function(f"free_{kind}", _address)
        self._free.restype = None
        made = ctypes.c_void_p()
        make = tables.function(f"make_{kind}", *(each[0] for each in arguments), _address)
        tables.done(make(*(each[1] for each in arguments), ctypes.byref(made)))
        self._self = made.value

    def __del__(self) -> None:
        if self._self is not None:
            self._free(self._self)

    def _call(self, name: str, *arguments: tuple[type, Any]) -> None:
        function = self._tables.function(name, _address, *(each[0] for each in arguments))
        self._tables.done(function(self._self, *(each[1] for each in arguments)))

    def _counted(self, name: str, *arguments: tuple[type, Any]) -> int:
        count = ctypes.c_uint64()
        self._call(name, *arguments, (_address, ctypes.byref(count)))
        return count.value


class TableOfDevice(_Owned):
    """A table. Keys and values are addresses of arrays on its device; unsigned keys go as the signed ones with their bits."""

    def __init__(self, tables: Tables, key_type: str, value_type: str, capacity: int, stream: int) -> None:
        super().__init__(
            tables,
            "table",
            (_number, NUMBERS.index(key_type)),
            (_number, NUMBERS.index(value_type)),
            (_count, capacity),
            (_address, stream),
        )

    def insert(self, combine: str, keys: int, values: int, count: int, distinct: bool) -> Inserted:
        done = (ctypes.c_uint64 * 4)()
        self._call(
            "insert",
            (_number, COMBINES.index(combine)),
            (_address, keys),
            (_address, values),
            (_count, count),
            (_number, distinct),
            (_address, done),
        )
        return Inserted(*done)

    def update(self, keys: int, values: int, outcomes: int, count: int) -> int:
        return self._counted("update", (_address, keys), (_address, values), (_address, outcomes), (_count, count))

    def find(self, keys: int, values: int, outcomes: int, count: int) -> int:
        return self._counted("find", (_address, keys), (_address, values), (_address, outcomes), (_count, count))

    def contains(self, keys: int, are_there: int, count: int) -> int:
        return self._counted("contains", (_address, keys), (_address, are_there), (_count, count))

    def erase(self, keys: int, count: int) -> int:
        return self._counted("erase", (_address, keys), (_count, count))

    def export_pairs(self, keys: int, values: int, room: int) -> int:
        return self._counted("export_pairs", (_address, keys), (_address, values), (_count, room))

    def size(self) -> int:
        return self._counted("size")

    def slots(self) -> int:
        return self._counted("slots")

    def memory_bytes(self) -> int:
        return self._counted("memory_bytes")

    def rehash(self, slots: int) -> None:
        self._call("rehash", (_count, slots))

    def clear(self) -> None:
        self._call("clear")


class RowsOfDevice(_Owned):
    """The numbers of the rows in which each key stands."""

    def __init__(self, tables: Tables, key_type: str, stream: int) -> None:
        super().__init__(tables, "rows", (_number, NUMBERS.index(key_type)), (_address, stream))

    def build(self, keys: int, count: int) -> None:
        self._call("build", (_address, keys), (_count, count))

    def count(self, keys: int, counts: int, count: int) -> int:
        return self._counted("count", (_address, keys), (_address, counts), (_count, count))

    def retrieve(self, keys: int, count: int, offsets: int, rows: int, room: int) -> None:
        self._call(
            "retrieve", (_address, keys), (_count, count), (_address, offsets), (_address, rows), (_count, room)
        )


class GridOfDevice(_Owned):
    """Points in the cells of a grid. Points and queries are addresses of arrays of three float32 each."""

    def __init__(self, tables: Tables, radius: float, divisor: int, stream: int) -> None:
        super().__init__(tables, "grid", (ctypes.c_float, radius), (_number, divisor), (_address, stream))

    def build(self, points: int, count: int) -> None:
        self._call("build_grid", (_address, points), (_count, count))

    def find(self, queries: int | None, count: int, k: int) -> int:
        return self._counted("find_neighbours", (_address, queries), (_count, count), (ctypes.c_uint32, k))

    def take(self, offsets: int, numbers: int, distances: int) -> None:
        self._call("take_neighbours", (_address, offsets), (_address, numbers), (_address, distances))
