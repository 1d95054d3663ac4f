"""Reads what `slotscape sparse --export` writes, and compares it with the definition of the convolution.

kernel_map.py PROGRAM
"""
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np


def run(program, folder, source, *options):
    """The arrays that the program exports for this source, and its statistics."""
    command = [program, "sparse", source, "--backend", "cpu", "--headless", "--frames", "1", "--layers", "0",
               "--export", folder / "map.npz", "--stats", folder / "stats.json", *options]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with np.load(folder / "map.npz") as arrays:
        return dict(arrays), json.loads((folder / "stats.json").read_text())


def reached(sites, offsets, stride, dilation):
    """All outputs that read a site: o * stride + offset * dilation is one."""
    outputs = set()
    for (batch, *at), offset in itertools.product(sites, offsets):
        quotients = [divmod(a - d * dilation, stride) for a, d in zip(at, offset)]
        if all(rest == 0 for _, rest in quotients):
            outputs.add((batch, *(quotient for quotient, _ in quotients)))
    return outputs


def check(program, folder, sites, kernel, stride, dilation, *options):
    np.save(folder / "sites.npy", sites)
    found, statistics = run(program, folder, folder / "sites.npy", "--kernel", kernel, "--stride", stride, "--dilation",
                            dilation, *options)
    inputs = {tuple(site): row for row, site in enumerate(found["in_coords"].tolist())}
    outputs = {tuple(site): row for row, site in enumerate(found["out_coords"].tolist())}
    transposed = statistics["mode"] == "transposed"
    given = outputs if transposed else inputs
    assert set(given) == {tuple(site) for site in sites.tolist()}
    steps = range(-(kernel // 2), kernel // 2 + 1) if kernel % 2 else range(kernel)
    offsets = list(itertools.product(steps, repeat=3))
    assert [tuple(offset) for offset in found["offsets"].tolist()] == offsets
    if statistics["mode"] != "submanifold":
        assert set(inputs if transposed else outputs) == reached(given, offsets, stride, dilation)
    assert found["nbsizes"].sum() == len(found["nbmaps"])
    pairs = np.split(found["nbmaps"], np.cumsum(found["nbsizes"])[:-1])
    coarse, fine = (inputs, outputs) if transposed else (outputs, inputs)
    for offset, of_offset in zip(offsets, pairs):
        expected = set()
        for (batch, *out), row in coarse.items():
            read = (batch, *(o * stride + d * dilation for o, d in zip(out, offset)))
            if read in fine:
                expected.add((row, fine[read]) if transposed else (fine[read], row))
        assert {tuple(pair) for pair in of_offset.tolist()} == expected, offset
        assert len(of_offset) == len(expected)
    rows = found["out_coords" if transposed else "in_coords"][found["point_rows"]]
    assert (rows == sites).all(), "each row of the array has its site"
    assert found["origin"].tolist() == statistics["origin"] == [0, 0, 0] and found["voxel_size"] == 1
    assert found["origin"].shape == (3,) and found["voxel_size"].shape == ()
    assert found["stride"].tolist() == [stride] * 3
    return len(outputs)


def check_points(program, folder):
    """The points of a file, far from the origin, joined to the rows that they fell into."""
    points = np.random.default_rng(2).uniform(-3.0, 5.0, (500, 3)) * [1.0, 0.7, 0.2] + [431000.5, 5412000.25, -80.0]
    points[[3, 250, 499]] = np.nan
    np.savetxt(folder / "points.xyz", points, fmt="%.6f")
    found, statistics = run(program, folder, folder / "points.xyz", "--grid", 12)
    rows = found["point_rows"]
    usable = np.isfinite(points).all(axis=1)
    assert len(rows) == len(points) and ((rows >= 0) == usable).all()
    low = found["origin"] + found["voxel_size"] * found["in_coords"][rows[usable], 1:]
    inside = (points[usable] - low) / found["voxel_size"]
    assert inside.min() > -1e-4 and inside.max() < 1 + 1e-4
    assert set(rows[usable]) == set(range(len(found["in_coords"]))), "no row without a point"
    assert "points" not in found, "those of the file are joined by number"
    assert any("points.xyz: Skipped 3 of 500 points" in finding for finding in statistics["findings"])
    assert statistics["voxel_size"] == float(found["voxel_size"])


def check_samples(program, folder):
    """Samples of a surface, which is no points of a file."""
    (folder / "square.obj").write_text("v 10 20 30\nv 14 20 30\nv 14 24 30\nv 10 24 32\nf 1 2 3\nf 1 3 4\n")
    found, _ = run(program, folder, folder / "square.obj", "--grid", 8, "--points", 300)
    assert found["points"].shape == (300, 3) and len(found["point_rows"]) == 300
    low = found["origin"] + found["voxel_size"] * found["in_coords"][found["point_rows"], 1:]
    inside = (found["points"] - low) / found["voxel_size"]
    assert inside.min() > -1e-4 and inside.max() < 1 + 1e-4


def main():
    program = sys.argv[1]
    random = np.random.default_rng(1)
    sites = np.unique(random.integers(0, (2, 9, 8, 7), (300, 4)), axis=0).astype(np.int32)
    below = np.unique(random.integers((-1, -8, -9, -7), (2, 8, 5, 3), (150, 4)), axis=0).astype(np.int32)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        check(program, folder, sites, 3, 1, 1)
        check(program, folder, np.asfortranarray(sites.astype(np.int64)), 3, 1, 2, "--order", "morton")
        check(program, folder, sites.astype(np.uint8), 2, 2, 1, "--mode", "sparse")
        check(program, folder, below, 3, 1, 1, "--mode", "sparse")
        check(program, folder, below, 3, 3, 2, "--mode", "sparse", "--order", "morton")
        check(program, folder, below, 3, 2, 1, "--mode", "transposed")
        halves = np.unique(np.column_stack([below[:, :1], below[:, 1:] // 2]), axis=0)
        assert check(program, folder, below, 2, 2, 1, "--mode", "sparse") == len(halves)
        again = below[random.permutation(np.repeat(np.arange(len(below)), 2))]
        check(program, folder, again, 3, 1, 1, "--order", "given")
        check_points(program, folder)
        check_samples(program, folder)
    print("the exported kernel maps are right")


if __name__ == "__main__":
    main()
