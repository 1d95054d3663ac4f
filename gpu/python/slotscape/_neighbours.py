"""Who is near? The points within a radius of others, or the nearest of them, by cells of a grid."""
from __future__ import annotations

import math
import operator
from typing import Any

import numpy

from ._arrays import Array, Library, library_of, tables_for
from ._tables import GridOfDevice

_MAX_K = 2**32 - 1


def neighbours(
    points: Array,
    radius: float | None = None,
    *,
    k: int | None = None,
    queries: Array | None = None,
    divisor: int = 1,
) -> tuple[Array, Array, Array]:
    """The points within a radius of each query, or the nearest k, nearest first: offsets (int64), numbers (int32), distances (float32).

    Those of query i are numbers[offsets[i]:offsets[i + 1]], and as many distances. Of equally near ones, the one with the
    smaller number comes first. Without queries, these are the points themselves, and none is its own neighbour.

    points, queries: arrays of x, y and z in each row. k: only the nearest so many, within the radius if there is one; without
    a radius, each query has as many, or all points if there are fewer. divisor: how many cells a radius spans, 1 to 4; it
    changes how long it takes, and not the answer.

    Distances are computed in single precision. float64 coordinates are counted from the lowest corner first, so that they
    may be far from 0; all others become float32 as they are. Raises ValueError or TypeError for what cannot be, such as a
    radius of 0, and RuntimeError where a coordinate is infinite or not a number, or the answer is too large.
    """
    if radius is None and k is None:
        raise TypeError("neighbours needs a radius, or k: the nearest so many, however far they are")
    if radius is not None:
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
    if radius is None:
        return _Nearest(library, points, operator.index(divisor)).find(others, most)
    library.wait()
    return _found(library, _grid(library, points, radius, operator.index(divisor)), len(points), others, most)


def _grid(library: Library, points: Array, radius: float, divisor: int) -> GridOfDevice:
    grid = GridOfDevice(tables_for(library), radius, divisor, library.stream())
    grid.build(library.address(points), len(points))
    return grid


def _found(library: Library, grid: GridOfDevice, points: int, queries: Array | None, k: int) -> tuple[Array, Array, Array]:
    count = points if queries is None else len(queries)
    found = grid.find(_address_of(library, queries), count, k)
    offsets = library.empty(count + 1, "int64")
    numbers = library.empty(found, "int32")
    distances = library.empty(found, "float32")
    library.wait()
    grid.take(library.address(offsets), library.address(numbers), library.address(distances))
    return offsets, numbers, distances


class _Nearest:
    """Finds the k nearest by searches within radii that double, until each query has its k."""

    _sampled = 1000  # queries that tell the first radius
    _most_cells = 2**20  # along an axis, so that there are not too many in all

    def __init__(self, library: Library, points: Array, divisor: int) -> None:
        self._library = library
        self._points = points
        self._divisor = divisor

    def find(self, queries: Array | None, k: int) -> tuple[Array, Array, Array]:
        library = self._library
        count = len(self._points if queries is None else queries)
        k = min(k, len(self._points) - (queries is None))
        offsets = library.numbers_to(count + 1) * max(k, 0)
        if count == 0 or k <= 0:
            return offsets, library.empty(0, "int32"), library.empty(0, "float32")
        numbers = library.empty(count * k, "int32").reshape(count, k)
        distances = library.empty(count * k, "float32").reshape(count, k)
        left = library.numbers_to(count)
        radius = self._first_radius(k)
        while len(left):
            library.wait()
            grid = _grid(library, self._points, radius, self._divisor)
            which = (self._points if queries is None else queries)[left]
            extra = 1 if queries is None else 0  # a query that is a point finds itself
            starts, near, far = _found(library, grid, len(self._points), library.converted(which, "float32"), k + extra)
            is_done = starts[1:] - starts[:-1] == k + extra
            rows = starts[:-1][is_done][:, None] + library.numbers_to(k + extra)[None, :]
            done = left[is_done]
            near, far = near[rows], far[rows]
            if extra:
                others = self._without_itself(near, done)
                near, far = near[others].reshape(-1, k), far[others].reshape(-1, k)
            numbers[done] = near
            distances[done] = far
            left = left[~is_done]
            radius *= 2.0
        return offsets, numbers.reshape(-1), distances.reshape(-1)

    def _without_itself(self, near: Array, queries: Array) -> Array:
        """Of k + 1 neighbours of each query, all but itself; or the last, where so many are in its place."""
        is_self = near == queries[:, None]
        is_self[:, -1] |= ~is_self.any(1)
        return ~is_self

    def _first_radius(self, k: int) -> float:
        """In which a point has a few times k neighbours, as a sample has it; at the least, cells are not too many."""
        library = self._library
        points = self._points
        size = float((-library.lowest(-points) - library.lowest(points)).max())
        if not (math.isfinite(size) and size > 0.0):
            return 1.0  # all are in one place; or the grid says which coordinate is no number
        least = max(size / self._most_cells, 1e-15)
        radius = max(size * (k / len(points)) ** (1.0 / 3.0), least)
        sample = library.converted(points[:: max(len(points) // self._sampled, 1)], "float32")
        most = 64 * (k + 1)
        for _ in range(8):
            library.wait()
            mean = _grid(library, points, radius, self._divisor).find(_address_of(library, sample), len(sample), most) / len(sample)
            if k + 1 <= mean <= 5 * (k + 1) or (mean > k and radius <= least):
                break
            factor = (2.0 * (k + 1) / max(mean, 0.1)) ** 0.4
            radius = max(radius * min(max(factor, 0.125), 4.0), least)
        return radius


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
