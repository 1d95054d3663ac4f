"""What tables need of the arrays of NumPy, CuPy and PyTorch: where they lie, new ones of their kind, and a few functions.

Nothing is copied that has the right type and lies in one piece.
"""
from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import numpy

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


def taken(library: Library, array: object) -> Array:
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
            array = numpy.asarray(array)
            if array.size == 0:  # what has no elements has no type, either
                array = array.astype("int64")
        else:
            raise TypeError(
                f"keys and values of one table belong together, on one device: this one is {type(array).__name__}"
            )
    if array.ndim != 1:
        raise ValueError(f"keys and values have one dimension, and this array has {array.ndim}: flatten it")
    return array


def tables_for(library: Library) -> ModuleType:
    """The module with the tables of the library's device."""
    if not library.on_gpu:
        return importlib.import_module("slotscape._cpu")
    try:
        return importlib.import_module("slotscape._cuda")
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "this slotscape was built without CUDA: have nvcc on the PATH, and install it again; "
            "or copy the arrays to the CPU"
        ) from None
