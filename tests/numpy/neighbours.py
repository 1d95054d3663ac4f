"""Reads what `slotscape neighbours --save` writes, and compares it with all pairs.

neighbours.py PROGRAM
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np


def run(program, folder, cloud, *options):
    """The arrays that the program saves for this cloud, and its statistics."""
    command = [program, "neighbours", cloud, "--backend", "cpu", "--headless", "--frames", "1",
               "--save", folder / "near.npz", "--stats", folder / "stats.json", *options]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with np.load(folder / "near.npz") as arrays:
        return dict(arrays), json.loads((folder / "stats.json").read_text())


def check(program, folder, points, radius, k, *options):
    """Distances that single precision cannot tell from the radius are left out of random points."""
    np.save(folder / "points.npy", points)
    found, statistics = run(program, folder, folder / "points.npy", "--radius", radius, *(["--k", k] if k else []), *options)
    assert found["points"].shape == points.shape and np.allclose(found["points"], points)
    assert statistics["neighbours"] == len(found["indices"]) == len(found["distances"]) == found["offsets"][-1]
    assert found["radius"] == radius
    distances = np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2))
    for i, of_point in enumerate(distances):
        near = np.flatnonzero(of_point <= radius)
        near = near[near != i]
        near = near[np.lexsort((near, of_point[near].round(5)))][:k or None]
        begin, end = found["offsets"][i], found["offsets"][i + 1]
        assert sorted(found["indices"][begin:end]) == sorted(near), i
        assert np.allclose(found["distances"][begin:end], of_point[found["indices"][begin:end]], atol=1e-5), i
        assert (np.diff(found["distances"][begin:end]) >= 0).all(), i


def main():
    program = sys.argv[1]
    random = np.random.default_rng(1)
    cube = random.random((600, 3)).astype("float32")
    flat = np.stack([random.random(500) * 40, random.random(500) * 4, np.zeros(500)], axis=1).astype("float32")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for method in ("sorted", "table"):
            for divisor in (1, 3):
                options = ("--method", method, "--divisor", divisor)
                check(program, folder, cube, 0.171, None, *options)
                check(program, folder, cube.astype("float64") + [0, 4e6, -3e5], 0.171, None, *options)
                check(program, folder, flat, 1.31, None, *options)
                check(program, folder, cube, 0.25, 5, *options)


if __name__ == "__main__":
    main()
