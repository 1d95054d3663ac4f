"""Who is near? The points within a radius of others, by cells of a grid."""
from __future__ import annotations

import math
import operator
from typing import Any

import numpy

from ._arrays import Array, Library, library_of, tables_for
from ._tables import GridOfDevice

_MAX_K = 2**32 - 1


def neighbours(
    points: Array, radius: float, *, k: int | None = None, queries: Array | None = None, divisor: int = 1
) -> tuple[Array, Array, Array]:
    """The points within a radius of each query, the nearest first: offsets (int64), numbers (int32), distances (float32).

    Those of query i are numbers[offsets[i]:offsets[i + 1]], and as many distances. Of equally near ones, the one with the
    smaller number comes first. Without queries, these are the points themselves, and none is its own neighbour.

    points, queries: arrays of x, y and z in each row. k: only the nearest so many within the radius. divisor: how many
    cells a radius spans, 1 to 4; it changes how long it takes, and not the answer.

    Distances are computed in single precision. float64 coordinates are counted from the lowest corner first, so that they
    may be far from 0; all others become float32 as they are. Raises ValueError or TypeError for what cannot be, such as a
    radius of 0, and RuntimeError where a coordinate is infinite or not a number, or the answer is too large.
    """
    radius = _radius(radius)
    most = 0 if k is None else _k(k)
    library = library_of(points)
    points = _rows(library, points, "points")
    others = None if queries is None else _rows(library, queries, "queries")
    if library.type_of(points) == "float64" and len(points):
        low = library.lowest(points)
        points = points - low
        others = None if others is None else library.converted(others, "float64") - low
    points = library.converted(points, "float32")
    others = None if others is None else library.converted(others, "float32")
    library.wait()
    grid = GridOfDevice(tables_for(library), radius, operator.index(divisor), library.stream())
    grid.build(library.address(points), len(points))
    count = len(points) if others is None else len(others)
    found = grid.find(_address_of(library, others), count, most)
    offsets = library.empty(count + 1, "int64")
    numbers = library.empty(found, "int32")
    distances = library.empty(found, "float32")
    library.wait()
    grid.take(library.address(offsets), library.address(numbers), library.address(distances))
    return offsets, numbers, distances


def _address_of(library: Library, queries: Array | None) -> int | None:
    """Arrays without elements may have no address, and null stands for the points."""
    if queries is None:
        return None
    return library.address(queries) or 1


def _radius(radius: float) -> float:
    if not (isinstance(radius, (int, float, numpy.number)) and math.isfinite(radius) and radius > 0):
        raise ValueError(f"the radius is a number above 0, and cannot be {radius!r}")
    return float(radius)


def _k(k: int) -> int:
    try:
        whole = operator.index(k)
    except TypeError:
        raise TypeError(f"k is a whole number, and {k!r} is none: pass int(k)") from None
    if not 1 <= whole <= _MAX_K:
        raise ValueError(f"k is 1 or more, and cannot be {whole}: leave it out for all within the radius")
    return whole


def _rows(library: Library, array: Any, what: str) -> Array:
    if not library.owns(array):
        if library_of(array).__class__ is not library.__class__ or library.on_gpu:
            raise TypeError(f"points and queries belong together, on one device: the {what} are {type(array).__name__}")
        array = numpy.asarray(array)
    if array.ndim == 1 and len(array) == 0:
        return library.empty(0, "float32").reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{what} have x, y and z in each row, and this array has the shape {tuple(array.shape)}")
    name = library.type_of(array)
    if name not in ("float32", "float64") and not name.startswith(("int", "uint", "float16", "bfloat16")):
        raise TypeError(f"coordinates are numbers, and these are {name}")
    return array
