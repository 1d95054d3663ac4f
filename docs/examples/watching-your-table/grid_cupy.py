"""A hash grid that CuPy fills on a GPU, and that can be looked at meanwhile: `slotscape watch grid`.

grid_cupy.py [SECONDS]          PYTHONPATH: the folder of slotscape_watch.py, PREFIX/include/slotscape
"""
import sys
import time

import cupy

from slotscape_watch import watch

SLOTS = 1 << 20
EMPTY = 0xFFFFFFFF

insert = cupy.ElementwiseKernel(
    "uint32 key, raw uint32 slots, uint32 mask", "uint32 place",
    """
    unsigned hash = key;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
    place = (hash ^ (hash >> 16)) & mask;
    while (true) {
      unsigned const found = atomicCAS((unsigned*)&slots[place], 0xffffffffu, key);
      if (found == 0xffffffffu || found == key) { break; }
      place = (place + 1) & mask;
    }
    """, "insert")


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    slots = cupy.full(SLOTS, EMPTY, dtype=cupy.uint32)
    layout = {"slots": SLOTS, "key": {"bits": 32}, "empty_key": EMPTY,
              "hash": {"function": "murmur3", "reduction": "mask"}, "probing": "linear"}
    with watch("grid", slots, layout) as watched:
        end, first, batch = time.monotonic() + seconds, 0, 1 << 12
        while time.monotonic() < end:
            if first < SLOTS * 9 // 10:
                insert(cupy.arange(first, first + batch, dtype=cupy.uint32), slots, cupy.uint32(SLOTS - 1))
                first += batch
                if first % (1 << 18) == 0:
                    watched.mark(f"{first} cells")
            time.sleep(0.001)
        cupy.cuda.Device().synchronize()
        keys = int((slots != EMPTY).sum())
    print(f"{keys} cells")
    if keys != first or watched.problem:
        sys.exit(f"the grid should have {first} cells ({watched.problem or 'it was watched'})")


if __name__ == "__main__":
    main()
