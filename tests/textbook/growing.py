"""Linear and extendible hashing as textbooks define them, computed with lists, against what the program makes of the
same keys.

growing.py PROGRAM
"""
import random
import sys
import tempfile
from pathlib import Path

from chaining import close, histogram, statistics


def linear_hashing(keys, heads, most, keys_per_head, heads_at_once=1):
    """Litwin 1980: h(k) = k mod 2N where that head exists, else k mod N; a new key comes first in its chain.

    heads_at_once: how many heads each insertion splits while there are too many keys, or a round has begun; 0: all.
    """
    chains = [[] for _ in range(heads)]
    round_of, stored = heads, set()

    def head_of(key):
        head = key % (2 * round_of)
        return head if head < len(chains) else key % round_of

    for key in keys:
        if key in stored:
            continue
        stored.add(key)
        chains[head_of(key)].insert(0, key)
        splits = 0
        while len(chains) < most:
            crowded = len(stored) > keys_per_head * len(chains)
            begun = heads_at_once != 1 and len(chains) != round_of
            if not (begun or crowded and splits == 0) or splits == heads_at_once != 0:
                break
            splits += 1
            pointer = len(chains) - round_of
            chain, chains[pointer] = chains[pointer], []
            chains.append([])
            for other in chain:
                chains[head_of(other)].insert(0, other)
            if len(chains) == 2 * round_of:
                round_of *= 2
    return chains


def extendible(keys, size):
    """Fagin et al. 1979, by the last bits: the buckets, each with its local depth, and the depth of the directory."""
    directory, depth = [[0, []]], 0
    for key in dict.fromkeys(keys):
        while len(directory[key % 2**depth][1]) == size:
            bucket = directory[key % 2**depth]
            if bucket[0] == depth:
                directory, depth = directory * 2, depth + 1
            bit = 2**bucket[0]
            parts = [[bucket[0] + 1, [k for k in bucket[1] if (k & bit != 0) == half]] for half in (False, True)]
            directory = [parts[(entry & bit) != 0] if old is bucket else old for entry, old in enumerate(directory)]
        directory[key % 2**depth][1].append(key)
    return directory, depth


def buckets_of(directory):
    return list({id(bucket): bucket for bucket in directory}.values())


def run(program, folder, keys, table):
    steps = [{"op": "insert", "key": key} for key in keys]
    return statistics(program, folder, {"version": 1, "table": table | {"hash": "identity"}, "steps": steps})


def check_linear(program, folder, keys, heads, most, keys_per_head, heads_at_once=1):
    chains = linear_hashing(keys, heads, most, keys_per_head, heads_at_once)
    found = run(program, folder, keys, {"family": "linear_hashing", "slots": most, "initial_heads": heads,
                                        "keys_per_head": keys_per_head, "heads_at_once": heads_at_once, "nodes": 8})
    places = [place for chain in chains for place in range(len(chain))]
    assert found["table"]["live"] == len(set(keys))
    assert found["groups"]["histogram"] == histogram(len(chain) for chain in chains)
    assert found["probe_length"]["histogram"] == histogram(places)
    close(found["accesses"]["hits"]["mean"], sum(2 + 2 * place for place in places) / len(places))
    return chains


def check_extendible(program, folder, keys, size, slots):
    directory, depth = extendible(keys, size)
    found = run(program, folder, keys, {"family": "extendible", "slots": slots, "bucket": size, "directory": 32})
    buckets = [bucket for _, bucket in buckets_of(directory)]
    assert found["table"]["live"] == len(set(keys))
    assert found["groups"]["histogram"] == histogram(len(bucket) for bucket in buckets)
    return directory, depth


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        assert check_linear(program, folder, [5, 9, 13, 15, 20, 30], 2, 16, 1) == [[], [9], [30], [15], [20], [13, 5]]
        # Ramakrishnan & Gehrke, Database Management Systems, 3rd edition, figures 11.2 to 11.5.
        keys = [4, 12, 32, 16, 1, 5, 21, 10, 15, 7, 19, 13, 20, 9]
        directory, depth = check_extendible(program, folder, keys, 4, 64)
        assert depth == 3
        assert [sorted(bucket) for _, bucket in directory] == [
            [16, 32], [1, 9], [10], [7, 15, 19], [4, 12, 20], [5, 13, 21], [10], [7, 15, 19]]
        assert [local for local, _ in directory] == [3, 3, 2, 2, 3, 3, 2, 2]
        draw = random.Random(2)
        for heads, most, per_head, count in [(1, 64, 1, 40), (4, 256, 1, 200), (8, 64, 2, 300), (16, 32, 4, 100)]:
            check_linear(program, folder, draw.sample(range(1, 100_000), count), heads, most, per_head)
        for heads_at_once in [0, 2, 4, 8]:
            check_linear(program, folder, draw.sample(range(1, 100_000), 150), 4, 256, 1, heads_at_once)
        for size, slots, count in [(2, 512, 60), (3, 600, 100), (4, 512, 120), (16, 2048, 700)]:
            check_extendible(program, folder, draw.sample(range(1, 100_000), count), size, slots)


if __name__ == "__main__":
    main(sys.argv[1])
