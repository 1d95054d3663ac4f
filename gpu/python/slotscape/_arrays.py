"""What tables need of the arrays of NumPy, CuPy and PyTorch: where they lie, new ones of their kind, and a few functions.

Nothing is copied that has the right type and lies in one piece.
"""
from __future__ import annotations

import functools
import importlib
import sys
from types import ModuleType
from typing import Any

import numpy

from ._tables import Tables

Array = Any
"""An array of NumPy or CuPy, or a tensor of PyTorch, with one dimension."""


class _NumpyLike:
    """NumPy, or CuPy, which has the same functions."""

    def __init__(self, module: ModuleType) -> None:
        self.xp = module
        self.on_gpu = module is not numpy

    def owns(self, array: object) -> bool:
        return isinstance(array, self.xp.ndarray)

    def type_of(self, array: Array) -> str:
        return array.dtype.name

    def converted(self, array: Array, dtype: str) -> Array:
        return self.xp.ascontiguousarray(array, dtype=self.xp.dtype(dtype))

    def bits_as(self, array: Array, dtype: str) -> Array:
        return array.view(dtype)

    def address(self, array: Array) -> int:
        return array.data.ptr if self.on_gpu else array.ctypes.data

    def full(self, count: int, value: object, dtype: str) -> Array:
        return self.xp.full(count, value, dtype=dtype)

    def empty(self, count: int, dtype: str) -> Array:
        return self.xp.empty(count, dtype=dtype)

    def numbers_to(self, count: int) -> Array:
        return self.xp.arange(count, dtype="int64")

    def rank(self, ascending: Array, wanted: Array) -> Array:
        return self.xp.searchsorted(ascending, wanted, side="right")

    def lowest(self, rows: Array) -> Array:
        """The lowest number of each column."""
        return rows.min(axis=0)

    def stream(self) -> int:
        return self.xp.cuda.get_current_stream().ptr if self.on_gpu else 0

    def wait(self) -> None:
        if self.on_gpu:
            self.xp.cuda.get_current_stream().synchronize()


class _Torch:
    """PyTorch, on one device."""

    def __init__(self, torch: ModuleType, device: Any) -> None:
        self.torch = torch
        self.device = device
        self.on_gpu = device.type == "cuda"

    def owns(self, array: object) -> bool:
        return isinstance(array, self.torch.Tensor) and array.device == self.device

    def type_of(self, array: Array) -> str:
        return str(array.dtype).removeprefix("torch.")

    def converted(self, array: Array, dtype: str) -> Array:
        return array.detach().to(getattr(self.torch, dtype)).contiguous()

    def bits_as(self, array: Array, dtype: str) -> Array:
        return array.view(getattr(self.torch, dtype))

    def address(self, array: Array) -> int:
        return array.data_ptr()

    def full(self, count: int, value: object, dtype: str) -> Array:
        return self.torch.full((count,), value, dtype=getattr(self.torch, dtype), device=self.device)

    def empty(self, count: int, dtype: str) -> Array:
        return self.torch.empty(count, dtype=getattr(self.torch, dtype), device=self.device)

    def numbers_to(self, count: int) -> Array:
        return self.torch.arange(count, dtype=self.torch.int64, device=self.device)

    def rank(self, ascending: Array, wanted: Array) -> Array:
        return self.torch.searchsorted(ascending, wanted, right=True)

    def lowest(self, rows: Array) -> Array:
        return rows.amin(dim=0)

    def stream(self) -> int:
        return self.torch.cuda.current_stream(self.device).cuda_stream if self.on_gpu else 0

    def wait(self) -> None:
        if self.on_gpu:
            self.torch.cuda.current_stream(self.device).synchronize()


Library = _NumpyLike | _Torch


def library_of(array: object) -> Library:
    """The library that an array belongs to. Lists and the like become arrays of NumPy."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        if array.device.type not in ("cpu", "cuda"):
            raise TypeError(f"tables are on CPUs and NVIDIA GPUs, and this tensor is on '{array.device}': move it")
        return _Torch(torch, array.device)
    cupy = sys.modules.get("cupy")
    if cupy is not None and isinstance(array, cupy.ndarray):
        return _NumpyLike(cupy)
    return _NumpyLike(numpy)


def largest_magnitude(integers: Array) -> int:
    """How far from 0 the integers go."""
    return max(int(integers.max()), -int(integers.min())) if len(integers) else 0


def _has_missing(array: object) -> bool:
    """Whether elements are missing that a plain array has no word for: of pandas' own types, of Arrow and of Polars."""
    if isinstance(getattr(array, "dtype", None), numpy.dtype):
        return False  # of numbers alone; a NaN is one
    nulls = getattr(array, "null_count", 0)
    isna = getattr(array, "isna", None)
    return bool(nulls() if callable(nulls) else nulls) or (callable(isna) and bool(numpy.any(isna())))


def array_of(sequence: Any) -> Array:
    """An array of NumPy. Whole numbers stay whole, or are refused."""
    if _has_missing(sequence):
        raise TypeError(
            "some elements are missing, and a table has no place for them: leave their rows out (dropna, drop_null, "
            "drop_nulls), of keys and values the same ones, or fill them in (fillna, fill_null)"
        )
    array = numpy.asarray(sequence)
    if array.size == 0:  # what has no elements has no type, either
        return array.astype("int64")
    is_list = isinstance(sequence, (list, tuple))
    if array.dtype.kind == "f" and is_list and all(isinstance(each, (int, numpy.integer)) for each in sequence):
        raise TypeError("these integers fit into no one type: they need int64 for the sign, and uint64 for the size")
    return array


def taken(library: Library, array: Any) -> Array:
    """The array, if it belongs to the library and has one dimension; or made of a list."""
    if isinstance(array, numpy.ma.MaskedArray):
        if numpy.ma.is_masked(array):
            raise TypeError(
                "some elements of this array are masked, and a table has no place for a mask: pass array.compressed(), "
                "keys and values without the same rows, or array.filled(VALUE)"
            )
        array = array.data
    if not library.owns(array):
        if isinstance(library, _NumpyLike) and not library.on_gpu and isinstance(library_of(array), _NumpyLike):
            array = array_of(array)
        else:
            raise TypeError(
                f"keys and values of one table belong together, on one device: this one is {type(array).__name__}"
            )
    if array.ndim != 1:
        raise ValueError(f"keys and values have one dimension, and this array has {array.ndim}: flatten it")
    return array


@functools.cache
def _tables_of(device: str) -> Tables:
    return Tables(device)


def tables_for(library: Library) -> Tables:
    """The tables of the library's device."""
    if not library.on_gpu:
        return _tables_of("cpu")
    try:
        return _tables_of("cuda")
    except OSError:
        raise ModuleNotFoundError(
            "this slotscape was built without CUDA: have nvcc on the PATH, and install it again; "
            "or copy the arrays to the CPU"
        ) from None
