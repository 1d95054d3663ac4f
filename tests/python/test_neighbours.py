"""Neighbours of points, compared with all pairs. Run by unittest."""
import unittest

import numpy

import slotscape
from test_tables import LIBRARIES, on_host


def lists_of(found):
    offsets, numbers, distances = map(on_host, found)
    return [list(zip(numbers[a:b].tolist(), distances[a:b].tolist())) for a, b in zip(offsets[:-1], offsets[1:])]


def all_pairs(queries, points, radius, k, is_self):
    """In single precision, each step rounded."""
    lists = []
    for i, query in enumerate(queries):
        x, y, z = (query - points).T
        squared = x * x + y * y + z * z
        near = numpy.flatnonzero(squared <= numpy.float32(radius) * numpy.float32(radius))
        if is_self:
            near = near[near != i]
        near = near[numpy.lexsort((near, squared[near]))][:k]
        lists.append(list(zip(near.tolist(), numpy.sqrt(squared[near]).tolist())))
    return lists


class Neighbours(unittest.TestCase):
    def setUp(self):
        random = numpy.random.default_rng(1)
        self.points = random.random((1500, 3)).astype("float32")
        self.queries = random.random((200, 3)).astype("float32")

    def each_library(self):
        for name, make in LIBRARIES.items():
            with self.subTest(name):
                yield make

    def test_are_those_of_all_pairs(self):
        for make in self.each_library():
            for k in (None, 1, 6):
                for divisor in (1, 2):
                    found = slotscape.neighbours(make(self.points), 0.11, k=k, divisor=divisor)
                    self.assertEqual(lists_of(found), all_pairs(self.points, self.points, 0.11, k, True))
                    found = slotscape.neighbours(make(self.points), radius=0.11, k=k, queries=make(self.queries))
                    self.assertEqual(lists_of(found), all_pairs(self.queries, self.points, 0.11, k, False))

    def test_nearest_are_those_of_all_pairs_however_far(self):
        random = numpy.random.default_rng(2)
        far_apart = numpy.concatenate([self.points[:300], self.points[:40] * 1e-4 + 7, [[500, 0, 0]]]).astype("float32")
        sphere = random.normal(size=(800, 3))
        sphere = (sphere / numpy.linalg.norm(sphere, axis=1)[:, None]).astype("float32")
        repeated = numpy.repeat(self.points[:20], 12, axis=0)
        for make in self.each_library():
            for points in (self.points, far_apart, sphere, repeated, numpy.ones((30, 3), "float32")):
                for k in (1, 5, 16, 5000):
                    found = slotscape.neighbours(make(points), k=k)
                    self.assertEqual(lists_of(found), all_pairs(points, points, 1e6, k, True))
                    found = slotscape.neighbours(make(points), k=k, queries=make(self.queries[:50]))
                    self.assertEqual(lists_of(found), all_pairs(self.queries[:50], points, 1e6, k, False))

    def test_nearest_of_few_points(self):
        for points in (numpy.empty((0, 3), "float32"), numpy.ones((1, 3)), [[1, 2, 3], [1, 2, 4], [9, 9, 9]]):
            expected = [[], [[]], [[(1, 1.0)], [(0, 1.0)], [(1, numpy.sqrt(numpy.float32(138)))]]][min(len(points), 2)]
            self.assertEqual(lists_of(slotscape.neighbours(points, k=1)), expected)

    def test_have_types_of_the_library(self):
        for make in self.each_library():
            points = make(self.points)
            for array, dtype in zip(slotscape.neighbours(points, 0.1), ("int64", "int32", "float32")):
                self.assertIs(type(array), type(points))
                self.assertEqual(str(array.dtype).removeprefix("torch."), dtype)

    def test_double_precision_may_be_far_from_zero(self):
        grid = numpy.stack(numpy.meshgrid(*3 * [numpy.arange(8) * 0.25]), axis=-1).reshape(-1, 3)
        expected = lists_of(slotscape.neighbours(grid.astype("float32"), 0.25))
        for make in self.each_library():
            self.assertEqual(lists_of(slotscape.neighbours(make(grid + [4e6, -5e5, 100.0]), 0.25)), expected)
        self.assertEqual(sum(map(len, expected)), 2 * 3 * 7 * 64)

    def test_of_few_points(self):
        for points in (numpy.empty((0, 3), "float32"), [], numpy.ones((1, 3)), [[1, 2, 3], [1, 2, 3], [9, 9, 9]]):
            expected = [[], [[]], [[(1, 0.0)], [(0, 0.0)], []]][min(len(points), 2)]
            self.assertEqual(lists_of(slotscape.neighbours(points, 0.5)), expected)
        self.assertEqual(lists_of(slotscape.neighbours(self.points, 0.5, queries=numpy.empty((0, 3)))), [])

    def test_refuses_what_cannot_be(self):
        points = self.points
        for radius in (0, -1.0, float("nan"), float("inf"), "wide"):
            with self.assertRaisesRegex(ValueError, "radius"):
                slotscape.neighbours(points, radius)
        for k in (0, -3):
            with self.assertRaisesRegex(ValueError, "k is 1 or more"):
                slotscape.neighbours(points, 0.1, k=k)
        with self.assertRaisesRegex(TypeError, "needs a radius, or k"):
            slotscape.neighbours(points)
        with self.assertRaisesRegex(TypeError, "whole number"):
            slotscape.neighbours(points, 0.1, k=2.5)
        for wrong in (numpy.zeros(7), numpy.zeros((5, 2)), numpy.zeros((5, 3, 3))):
            with self.assertRaisesRegex(ValueError, "x, y and z"):
                slotscape.neighbours(wrong, 0.1)
        with self.assertRaisesRegex(TypeError, "coordinates are numbers"):
            slotscape.neighbours(numpy.array([["a", "b", "c"]]), 0.1)
        points[7, 1] = numpy.nan
        with self.assertRaisesRegex(RuntimeError, "Point 7 has a coordinate"):
            slotscape.neighbours(points, 0.1)
        with self.assertRaisesRegex(RuntimeError, "Point 7 has a coordinate"):
            slotscape.neighbours(points, k=3)
        with self.assertRaisesRegex(RuntimeError, "choose a larger radius"):
            slotscape.neighbours(self.queries, 1e-9)


if __name__ == "__main__":
    unittest.main()
