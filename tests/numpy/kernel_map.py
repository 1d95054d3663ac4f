"""Reads what `slotscape sparse --export` writes, and compares it with the definition of the convolution.

kernel_map.py PROGRAM
"""
import itertools
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np


def export(program, folder, sites, *options):
    """The arrays that the program exports for these sites."""
    np.save(folder / "sites.npy", sites)
    command = [program, "sparse", folder / "sites.npy", "--backend", "cpu", "--headless", "--frames", "1", "--layers", "0",
               "--export", folder / "map.npz", *options]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    with np.load(folder / "map.npz") as arrays:
        return dict(arrays)


def check(program, folder, sites, kernel, stride, dilation, *options):
    found = export(program, folder, sites, "--kernel", kernel, "--stride", stride, "--dilation", dilation, *options)
    inputs = {tuple(site): row for row, site in enumerate(found["in_coords"].tolist())}
    assert set(inputs) == {tuple(site) for site in sites.tolist()}
    steps = range(-(kernel // 2), kernel // 2 + 1) if kernel % 2 else range(kernel)
    offsets = list(itertools.product(steps, repeat=3))
    assert [tuple(offset) for offset in found["offsets"].tolist()] == offsets
    assert found["nbsizes"].sum() == len(found["nbmaps"])
    pairs = np.split(found["nbmaps"], np.cumsum(found["nbsizes"])[:-1])
    for offset, of_offset in zip(offsets, pairs):
        expected = set()
        for row, (batch, *out) in enumerate(found["out_coords"].tolist()):
            read = (batch, *(o * stride + d * dilation for o, d in zip(out, offset)))
            if read in inputs:
                expected.add((inputs[read], row))
        assert {tuple(pair) for pair in of_offset.tolist()} == expected, offset
        assert len(of_offset) == len(expected)


def main():
    program = sys.argv[1]
    random = np.random.default_rng(1)
    sites = np.unique(random.integers(0, (2, 9, 8, 7), (300, 4)), axis=0).astype(np.int32)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        check(program, folder, sites, 3, 1, 1)
        check(program, folder, np.asfortranarray(sites.astype(np.int64)), 3, 1, 2, "--order", "morton")
        check(program, folder, sites.astype(np.uint8), 2, 2, 1, "--mode", "sparse")
    print("the exported kernel maps are right")


if __name__ == "__main__":
    main()
